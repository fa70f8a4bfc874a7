/** Callers that wait at this instance for results which another one reads: one look at the database for all of them. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Instant, RailRecords, RailState } from "@titian/server/rails";

export interface AwaitedStates {
  /** Calls back at most once, until then (real time, epoch ms). Returns how to end it. */
  add(referenceNo: string, until: Instant, onState: (state: RailState) => void): () => void;
  /** Until when a caller waits; undefined: none does. */
  untilOf(referenceNo: string): Instant | undefined;
}

interface AwaitedStatesDeps {
  readonly records: Pick<RailRecords, "findReported">;
  readonly real: () => Instant;
  /** This instance reads results itself. */
  readonly isReader: () => boolean;
}

const lookEveryMs = 20;

export function createAwaitedStates({ records, real, isReader }: AwaitedStatesDeps): AwaitedStates {
  const waiting = new Map<string, { readonly until: Instant; readonly onState: (state: RailState) => void }>();
  let isLooking = false;

  const lookOnce = async () => {
    for (const { referenceNo, state } of await records.findReported([...waiting.keys()])) {
      const caller = waiting.get(referenceNo);
      waiting.delete(referenceNo);
      caller?.onState(state);
    }
  };
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    while (waiting.size > 0) {
      await sleep(lookEveryMs);
      // A database that does not answer keeps nobody beyond their time.
      if (!isReader()) await lookOnce().catch(() => undefined);
      for (const [referenceNo, { until }] of waiting) if (real() >= until) waiting.delete(referenceNo);
    }
    isLooking = false;
  };
  return {
    add: (referenceNo, until, onState) => {
      waiting.set(referenceNo, { until, onState });
      void look();
      return () => void waiting.delete(referenceNo);
    },
    untilOf: (referenceNo) => waiting.get(referenceNo)?.until,
  };
}
