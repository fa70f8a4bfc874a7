/** Work repeated at an interval, one run at a time. */

export interface Polling {
  /** Runs the work now, after a run that is under way; rejects when it fails. */
  run(): Promise<void>;
  /** Stops, and waits for a run that is under way. */
  close(): Promise<void>;
}

export interface PollingOptions {
  readonly everyMs: number;
  readonly work: () => Promise<void>;
  /** Called for every failed scheduled run. */
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

/**
 * The given work, never twice at once: calls made while a run waits for its turn share that run. What a run sees is at
 * least as new as the call.
 */
export function oneAtATime<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting: Promise<Value> | undefined;
  return () => {
    // A run that already started may have read too early for this call.
    waiting ??= last
      .catch(() => undefined)
      .then(() => {
        waiting = undefined;
        return work();
      });
    last = waiting;
    return waiting;
  };
}
