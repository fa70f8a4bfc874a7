/** The deadline of a settlement: a time, or a signal. */
import type { Clock } from "../clock.ts";
import type { Signal } from "../platform.ts";

export interface Until {
  /** Milliseconds; Infinity for a signal. */
  readonly at: number;
  /** Aborted when it is over. */
  readonly signal: Signal;
  /** Releases timers and listeners. */
  release(): void;
}

/** A longer time overflows the system's timer. */
const longestTimerMs = 2 ** 31 - 1;

/** Throws a TypeError. */
export function startUntil(until: Date | Signal, clock: Clock): Until {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  const at = until instanceof Date ? until.getTime() : Number.POSITIVE_INFINITY;
  const given = until instanceof Date ? undefined : until;
  if (Number.isNaN(at) || (given !== undefined && typeof given?.addEventListener !== "function")) {
    throw new TypeError("until must be a valid Date or an AbortSignal");
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const arm = (): void => {
    const left = at - clock.now();
    if (left <= 0) end();
    else if (left < Number.POSITIVE_INFINITY) timer = setTimeout(arm, Math.min(left, longestTimerMs));
  };
  arm();
  given?.addEventListener("abort", end);
  if (given?.aborted === true) end();
  return {
    at,
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      given?.removeEventListener("abort", end);
    },
  };
}

/** Resolves after so many milliseconds, or when the signal is aborted. */
export function pauseFor(ms: number, signal: Signal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, Math.min(ms, longestTimerMs));
    signal.addEventListener("abort", finish);
  });
}
