/** One line in ten seconds of what fails with every call while something is down. */
import type { Clock } from "../basics/clock.ts";

const everyMs = 10_000;

/** Passes a call on unless one was passed on in the last ten seconds, with the number of calls since then, this one included. */
export function limitRate<Given extends unknown[]>(
  clock: Pick<Clock, "monotonic">,
  pass: (count: number, ...given: Given) => void,
): (...given: Given) => void {
  let passedAt = -Infinity;
  let count = 0;
  return (...given) => {
    count += 1;
    if (clock.monotonic() - passedAt < everyMs) return;
    passedAt = clock.monotonic();
    pass(count, ...given);
    count = 0;
  };
}
