/**
 * Limit of a job's claims while commits of claims are not confirmed: what such a commit claims is sent by nobody until
 * its claim ends. So nothing is claimed for a while, then one item, to find out whether the standby is back.
 */
import type { Clock } from "../basics/clock.ts";

export interface ClaimPause {
  /** Number that may be claimed now. */
  readonly max: () => number;
  /** Takes note of a claim, whose commit was confirmed or not; a claim that failed was not. */
  readonly note: (isConfirmed: boolean) => void;
}

const pauseMs = 3_000;

export function createClaimPause({ monotonic }: Pick<Clock, "monotonic">): ClaimPause {
  let pausedAt: number | undefined;
  return {
    max: () => {
      if (pausedAt === undefined) return Infinity;
      return monotonic() - pausedAt < pauseMs ? 0 : 1;
    },
    note: (isConfirmed) => {
      pausedAt = isConfirmed ? undefined : monotonic();
    },
  };
}
