/** Work repeated at a steady pace, one run at a time. */
import { oneAtATime } from "./one-at-a-time.ts";

export interface Polling {
  /** Runs the work now, after a run that is under way; rejects when it fails. */
  run(): Promise<void>;
  /** Stops, and waits for a run that is under way. */
  close(): Promise<void>;
}

export interface PollingOptions {
  readonly everyMs: number;
  readonly work: () => Promise<void>;
  /** Told of every failed run of the steady pace. */
  readonly onError: (error: unknown) => void;
}

export function startPolling({ everyMs, work, onError }: PollingOptions): Polling {
  const runOnce = oneAtATime(work);
  let last: Promise<void> = Promise.resolve();
  let isRunning = false;
  const run = () => {
    last = runOnce();
    return last;
  };
  const tick = async () => {
    if (isRunning) return;
    isRunning = true;
    await run().catch(onError);
    isRunning = false;
  };
  const timer = setInterval(() => void tick(), everyMs);
  timer.unref();
  return {
    run,
    close: async () => {
      clearInterval(timer);
      await last.catch(() => undefined);
    },
  };
}
