/** Refused calls with the reason, over the control API. */
import { object, optional, string } from "@titian/contract";
import type { FastifyInstance } from "fastify";
import { withoutExplanation } from "@titian/explain";
import { isoTime } from "../calls/iso-time.ts";
import { maskTarget } from "../calls/mask.ts";
import { type Hide, showClaim } from "../calls/show-call.ts";
import type { CallRecord, RecordedCall } from "../calls/record-calls.ts";
import { readQuery } from "../read-input.ts";
import type { CallExplanations } from "../explanations/explain-calls.ts";
import type { Explanation } from "../explanations/explain-worker.ts";
import type { ExplainedView, RefusalView } from "../calls/refusal-views.ts";

export interface RefusalCallsDeps {
  readonly record: CallRecord;
  readonly explanations: CallExplanations;
  readonly hide: Hide;
}

const Query = object({
  partnerId: optional(string({ description: "an X-PARTNER-ID" })),
  last: optional(string({ pattern: "^([1-9][0-9]{0,2}|1000)$", description: "from 1 to 1000" })),
});

const lastDefault = 20;

export function serveRefusalCalls(app: FastifyInstance, { record, explanations, hide }: RefusalCallsDeps): void {
  app.get("/refusals", async ({ query }): Promise<readonly RefusalView[]> => {
    const { partnerId, last = String(lastDefault) } = readQuery(Query, query);
    const calls = [...record.refused()].filter((call) => partnerId === undefined || call.partnerId === partnerId);
    const views: RefusalView[] = [];
    for (const call of calls.slice(0, Number(last))) views.push(showRefusal(call, hide, await explanations.of(call)));
    return views;
  });
}

function showRefusal(call: RecordedCall, hide: Hide, explanation: Explanation | undefined): RefusalView {
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
