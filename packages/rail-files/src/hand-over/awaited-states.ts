/** Callers that wait at this instance for results which another one reads. */
import type { Clock, Instant, Rail, RailRecords, RailState } from "@titian/server/rails";
import { createWatch } from "./watch.ts";

export interface AwaitedStates {
  readonly add: NonNullable<Rail["awaitState"]>;
  /** Until when a caller waits (real time, epoch ms); undefined: none does. */
  untilOf(referenceNo: string): Instant | undefined;
}

interface AwaitedStatesDeps {
  readonly records: Pick<RailRecords, "findReported">;
  readonly clock: Pick<Clock, "real">;
  /** This instance reads results itself. */
  readonly isReader: () => boolean;
}

export function createAwaitedStates({ records, clock, isReader }: AwaitedStatesDeps): AwaitedStates {
  const untils = new Map<string, Instant>();
  const watch = createWatch<RailState>(
    () => clock.real(),
    async (numbers) => {
      const reported = isReader() ? [] : await records.findReported(numbers);
      return reported.map(({ referenceNo, state }) => [referenceNo, state] as const);
    },
  );
  return {
    add: (referenceNo, until, onState) => {
      untils.set(referenceNo, until);
      const endWait = watch.add(referenceNo, until, (state) => {
        untils.delete(referenceNo);
        if (state) onState(state);
      });
      return () => {
        untils.delete(referenceNo);
        endWait();
      };
    },
    untilOf: (referenceNo) => untils.get(referenceNo),
  };
}
