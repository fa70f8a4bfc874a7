/** Work repeated at a steady pace: one run at a time, and a run asked for sees everything that was there when it was asked. */

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
  let last: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  let closed = false;

  const run = () => {
    // Whoever asks while a run waits for its turn shares that run; one that already started may have read too early.
    waiting ??= last
      .catch(() => undefined)
      .then(() => {
        waiting = undefined;
        return work();
      });
    last = waiting;
    return waiting;
  };

  const timer = setInterval(() => {
    if (waiting === undefined && !closed) run().catch(onError);
  }, everyMs);
  timer.unref();
  return {
    run,
    close: async () => {
      closed = true;
      clearInterval(timer);
      await last.catch(() => undefined);
    },
  };
}
