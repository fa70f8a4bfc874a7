/** When a notification is sent again (spec D14). */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Before each attempt, since the one before it; ms of business time. */
const pauses = [0, 10 * second, 30 * second, minute, 2 * minute, 5 * minute, hour, 2 * hour, 5 * hour, 15 * hour];

export const attemptsMax = pauses.length;

/** Part by which a pause varies, so that what failed together is not sent again together. */
const jitter = 0.1;

/**
 * Business time (epoch ms) of the attempt after the failed one of this number (from 1); undefined: that was the last.
 * `random`: from 0 to 1.
 */
export function nextAttemptAt(attempt: number, now: number, random: number): number | undefined {
  const pause = pauses[attempt];
  return pause === undefined ? undefined : now + Math.round(pause * (1 + jitter * random));
}
