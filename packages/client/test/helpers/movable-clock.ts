/** A clock that stands still until it is moved. */
import type { Clock } from "../../src/index.ts";

export interface MovableClock extends Clock {
  advance(ms: number): void;
}

export function movableClock(start = Date.UTC(2026, 10, 21, 3, 0, 0)): MovableClock {
  let now = start;
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}
