/** Ctrl-C ends the waiting in order, and the second one the process. */

export interface StopSignal {
  readonly signal: AbortSignal;
  /** Must be called when the work is over. */
  release(): void;
}

type StoppingSignal = "SIGINT" | "SIGTERM" | "SIGHUP";
/** npm forwards a Ctrl-C that the terminal has sent to every process: signals within this time count as one. */
const duplicateSignalMs = 500;

/** SIGHUP: its terminal is closed. */
export function stopOnSignal(signals: readonly StoppingSignal[] = ["SIGINT", "SIGTERM"]): StopSignal {
  const controller = new AbortController();
  const stop = () => {
    controller.abort();
    setTimeout(release, duplicateSignalMs).unref();
  };
  const release = () => {
    for (const signal of signals) process.off(signal, stop);
  };
  for (const signal of signals) process.on(signal, stop);
  return { signal: controller.signal, release };
}
