/** Waiting until instructions are written, by whichever node: one look at the database for all that wait here. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Instant, KnownInstruction, RailRecords } from "@titian/server/rails";

export interface WrittenLines {
  /** True once the line is written; false at `until` (real time, epoch ms), or when there is no such instruction. */
  wait(referenceNo: string, until: Instant): Promise<boolean>;
  /** Their lines were written by this instance. */
  tell(numbers: readonly string[]): void;
}

const lookEveryMs = 15;

interface WaitingCall {
  readonly until: Instant;
  readonly resolve: (isWritten: boolean) => void;
}

export function createWrittenLines(records: Pick<RailRecords, "find">, real: () => Instant): WrittenLines {
  const waiting = new Map<string, Set<WaitingCall>>();
  let isLooking = false;

  const end = (referenceNo: string, isWritten: boolean) => {
    for (const { resolve } of waiting.get(referenceNo) ?? []) resolve(isWritten);
    waiting.delete(referenceNo);
  };
  const lookOnce = async () => {
    const numbers = [...waiting.keys()];
    const { instructions } = await records.find({ numbers });
    const found = new Map(instructions.map((one): [string, KnownInstruction] => [one.terms.referenceNo, one]));
    for (const number of numbers) {
      const one = found.get(number);
      if (one === undefined || one.isWritten) end(number, one !== undefined);
    }
  };
  const endLate = () => {
    for (const [referenceNo, calls] of waiting) {
      for (const call of calls) {
        if (real() < call.until) continue;
        call.resolve(false);
        calls.delete(call);
      }
      if (calls.size === 0) waiting.delete(referenceNo);
    }
  };
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    while (waiting.size > 0) {
      await sleep(lookEveryMs);
      // A database that does not answer keeps nobody beyond their time.
      await lookOnce().catch(() => undefined);
      endLate();
    }
    isLooking = false;
  };
  return {
    wait: (referenceNo, until) => {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const calls = waiting.get(referenceNo) ?? new Set();
      waiting.set(referenceNo, calls.add({ until, resolve }));
      void look();
      return promise;
    },
    tell: (numbers) => {
      for (const number of numbers) end(number, true);
    },
  };
}
