/** Shows calls to a person as they are answered, with the reason of a rejection. */
import {
  type CallExplanations,
  type CallView,
  type Hide,
  type OpenCallRecord,
  type RecordedCall,
  showCall,
} from "@titian/control";

export interface CallDisplay {
  readonly perSecond: number;
  /** Oldest first. */
  onCalls(calls: readonly DisplayedCall[]): void;
  /** Calls of the last second that were left out. */
  onSkipped(calls: number): void;
}

export interface DisplayedCall extends CallView {
  /** Reason of its rejection, as a sentence; absent also where there was no time to find out. */
  readonly reason?: string;
}

export function display({ record, feed, hide }: OpenCallRecord, explanations: CallExplanations, to: CallDisplay): void {
  /** Calls are shown in their order, each with its reason. */
  let shown = Promise.resolve();
  feed.follow({
    filter: {},
    after: record.lastSequence(),
    perSecond: to.perSecond,
    onCalls: (calls) => {
      shown = shown
        .then(async () => to.onCalls(await Promise.all(calls.map((call) => withReason(call, hide, explanations)))))
        // An error in showing calls must not end the service.
        .catch(() => undefined);
    },
    onSkipped: (calls, unrecorded) => to.onSkipped(calls + unrecorded),
  });
}

async function withReason(call: RecordedCall, hide: Hide, explanations: CallExplanations): Promise<DisplayedCall> {
  const explanation = call.rejectedAt === undefined ? undefined : await explanations.ofIfIdle(call);
  return { ...showCall(call, hide), ...(explanation && { reason: explanation.report.diagnosis.sentence }) };
}
