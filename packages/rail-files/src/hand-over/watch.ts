/** Waiting for what becomes of instructions, by whichever node: one look at the database for all that wait here. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Instant } from "@titian/server/rails";

export interface Watch<Found> {
  /** Calls back once: with what is found, or undefined at `until` (real time, epoch ms). Returns how to end it without a call. */
  add(referenceNo: string, until: Instant, onEnd: (found: Found | undefined) => void): () => void;
  /** This instance knows it before the database says so. */
  tell(numbers: readonly string[], found: Found): void;
}

interface Call<Found> {
  readonly referenceNo: string;
  readonly until: Instant;
  readonly onEnd: (found: Found | undefined) => void;
}

const lookEveryMs = 15;

/** `look`: what there is of the numbers now. */
export function createWatch<Found>(
  real: () => Instant,
  look: (numbers: readonly string[]) => Promise<readonly (readonly [referenceNo: string, found: Found])[]>,
): Watch<Found> {
  const calls = new Set<Call<Found>>();
  let isLooking = false;

  const endFound = (found: ReadonlyMap<string, Found>) => {
    for (const call of calls) {
      const value = found.get(call.referenceNo);
      if ((value !== undefined || real() >= call.until) && calls.delete(call)) call.onEnd(value);
    }
  };
  const lookOn = async () => {
    if (isLooking) return;
    isLooking = true;
    while (calls.size > 0) {
      await sleep(lookEveryMs);
      const numbers = new Set([...calls].map(({ referenceNo }) => referenceNo));
      // A database that does not answer keeps nobody beyond their time.
      endFound(new Map(await look([...numbers]).catch(() => [])));
    }
    isLooking = false;
  };
  return {
    add: (referenceNo, until, onEnd) => {
      const call = { referenceNo, until, onEnd };
      calls.add(call);
      void lookOn();
      return () => void calls.delete(call);
    },
    tell: (numbers, found) => endFound(new Map(numbers.map((referenceNo) => [referenceNo, found]))),
  };
}
