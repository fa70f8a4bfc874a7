/** The two ways to ask the service to stop: a first signal drains it, a second one ends it at once. */

export interface StopRequest {
  /** Resolves at the first signal, or when `stop` is called. */
  readonly asked: Promise<void>;
  stop(): void;
}

/**
 * npm passes a Ctrl-C on that the terminal has sent to every process already: two signals within this time are one.
 */
const sameWishMs = 500;

/** `onSecond` is called with the exit code a shell expects of a process that a signal ended. */
export function stopOnSignals(onSecond: (exitCode: number) => void): StopRequest {
  const { promise: asked, resolve: stop } = Promise.withResolvers<void>();
  let mayEnd = false;
  const first = () => {
    stop();
    setTimeout(() => {
      mayEnd = true;
    }, sameWishMs).unref();
  };
  for (const [signal, exitCode] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    process.on(signal, () => {
      if (mayEnd) onSecond(exitCode);
      else first();
    });
  }
  return { asked, stop };
}
