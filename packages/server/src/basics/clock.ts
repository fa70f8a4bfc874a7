/** The only reader of the system's clock. */

/** Milliseconds since the epoch. */
export type Instant = number;

export interface Clock {
  /** Business time: the real time plus the sandbox's offset. Row times, windows, hours, expiries. */
  now(): Instant;
  /** Real time: leases, time-outs, UUIDv7. */
  real(): Instant;
  /** Milliseconds since a moment of its own: ages, which no correction of the system's time may change. */
  monotonic(): number;
}

/** A moment by both clocks of a node: at least one of them shows a suspension, or a change of the system time. */
export interface Moment {
  readonly real: Instant;
  readonly monotonic: number;
}

export function momentOf(clock: Pick<Clock, "real" | "monotonic">): Moment {
  return { real: clock.real(), monotonic: clock.monotonic() };
}

/** Elapsed time (ms), by the clock that shows more. */
export function elapsedSince({ real, monotonic }: Moment, clock: Pick<Clock, "real" | "monotonic">): number {
  return Math.max(clock.real() - real, clock.monotonic() - monotonic);
}

/** A clock whose business time can be moved forward by an offset (milliseconds). */
export interface MovableClock extends Clock {
  offset(): number;
  setOffset(offsetMs: number): void;
}

export function createClock(): MovableClock {
  let offsetMs = 0;
  return {
    now: () => Date.now() + offsetMs,
    real: () => Date.now(),
    monotonic: () => performance.now(),
    offset: () => offsetMs,
    setOffset: (next) => {
      offsetMs = next;
    },
  };
}
