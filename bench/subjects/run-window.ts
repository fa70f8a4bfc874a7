/** One window of a worker: prepared outside the measured time. */
import type { Measured, Window } from "../subject.ts";
import type { Worker } from "../workers/start-worker.ts";
import { measure, type Participants } from "./measure.ts";

/** `onPrepared` runs directly before the measured time. */
export async function runWindow(
  worker: Worker,
  others: Participants,
  window: Window,
  onPrepared?: () => Promise<void>,
): Promise<Measured> {
  await worker.prepare(window);
  await onPrepared?.();
  return measure({ ...others, caller: worker.pid }, async () => {
    const { done, elapsedMs, p50Ms, p99Ms } = await worker.run();
    return { done, perSecond: done / (elapsedMs / 1_000), p50Ms, p99Ms };
  });
}
