/**
 * Counts of failed authentications by claimed partner, address and reason. A count lapses ten minutes after its first. The
 * number of counts is bounded, also of those in one partner's name: beyond that an address counts with the others.
 */
import type { Clock } from "../../basics/clock.ts";

export interface Failure {
  /** A partner's name; "": of nobody. */
  readonly claimed: string;
  readonly address: string;
  readonly reason: string;
}

export interface FailureCounts {
  /** Counts one more. Returns how many there were of its kind. */
  add(failure: Failure): number;
}

const lapsesAfterMs = 600_000;
const countsMax = 10_000;
/** So that strangers who fail in one partner's name leave the others theirs. */
const countsOfClaimedMax = 1_000;

interface Count {
  readonly claimed: string;
  readonly firstAt: number;
  value: number;
}

export function createFailureCounts(clock: Pick<Clock, "monotonic">): FailureCounts {
  /** The oldest first, as a `Map` keeps them. */
  const counts = new Map<string, Count>();
  const countsOf = new Map<string, number>();

  function forgetLapsed(now: number): void {
    for (const [key, { claimed, firstAt }] of counts) {
      if (now - firstAt < lapsesAfterMs) return;
      counts.delete(key);
      const left = (countsOf.get(claimed) ?? 1) - 1;
      if (left === 0) countsOf.delete(claimed);
      else countsOf.set(claimed, left);
    }
  }

  return {
    add({ claimed, address, reason }) {
      const now = clock.monotonic();
      forgetLapsed(now);
      let key = JSON.stringify([claimed, reason, address]);
      const isFull = counts.size >= countsMax || (countsOf.get(claimed) ?? 0) >= countsOfClaimedMax;
      // One for each partner and reason, whatever addresses there are.
      if (isFull && !counts.has(key)) key = JSON.stringify([claimed, reason]);
      const count = counts.get(key) ?? { claimed, firstAt: now, value: 0 };
      if (count.value === 0) {
        counts.set(key, count);
        countsOf.set(claimed, (countsOf.get(claimed) ?? 0) + 1);
      }
      count.value += 1;
      return count.value;
    },
  };
}
