import { setTimeout as sleep } from "node:timers/promises";

export interface WaitLimits {
  readonly timeoutMs: number;
  readonly everyMs: number;
}

/**
 * Asks `check` until it answers something other than undefined, and gives that; undefined when the time is up.
 * The time is counted in rounds: good enough for waiting on a process, and no clock is read.
 */
export async function waitUntil<T>(check: () => T | undefined, limits: WaitLimits): Promise<T | undefined> {
  for (let leftMs = limits.timeoutMs; ; leftMs -= limits.everyMs) {
    const found = check();
    if (found !== undefined || leftMs <= 0) return found;
    await sleep(limits.everyMs);
  }
}
