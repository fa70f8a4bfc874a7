/** Why a recorded call was refused, as it is shown. */
import { withoutExplanation } from "@titian/explain";
import { isoTime } from "../calls/iso-time.ts";
import { maskTarget } from "../calls/mask.ts";
import type { RecordedCall } from "../calls/record-calls.ts";
import type { ExplainedView, RefusalView } from "../calls/refusal-views.ts";
import { type Hide, showClaim } from "../calls/show-call.ts";
import type { CallExplanations } from "../explanations/explain-calls.ts";
import type { Explanation } from "../explanations/explain-worker.ts";

export function showRefusal(call: RecordedCall, hide: Hide, explanation: Explanation | undefined): RefusalView {
  const { id, at, partnerId, operation, target, responseCode, rejectedAt = 0 } = call;
  const { step: _step, ...report } = explanation?.report ?? withoutExplanation(call);
  return {
    id,
    at: isoTime(at),
    ...(partnerId !== undefined && { partnerId: showClaim(partnerId, hide) }),
    ...(operation !== undefined && { operation }),
    path: maskTarget(hide(target)),
    responseCode,
    step: rejectedAt,
    ...report,
  };
}

/** Of any call: one that passed the checks has no diagnosis. */
export async function showExplanation(call: RecordedCall, explanations: CallExplanations): Promise<ExplainedView> {
  const { report = withoutExplanation(call), warnings = [] } = (await explanations.of(call)) ?? {};
  const { step: _step, diagnosis, ...view } = report;
  return { ...view, ...(call.rejectedAt !== undefined && { diagnosis }), warnings };
}
