/** Stops the service on signals: the first drains it, a second one terminates it. Workers are restarted by SIGHUP. */
import { exitCodes } from "../cli-error.ts";

export interface StopRequest {
  /** Resolves at the first signal, or when `stop` is called. */
  readonly requested: Promise<void>;
  stop(): void;
}

export interface StopOptions {
  /** Maximum time to drain. */
  readonly limitMs: number;
  readonly onStopRequested: () => void;
  /** Restarts on SIGHUP; undefined where it stops the service, as in a sandbox whose terminal is closed. */
  readonly restart: () => Promise<void> | undefined;
  /** Terminates the process: with the exit code of the signal, or after `limitMs`. */
  readonly end: (exitCode: number, why: "signal" | "overdue") => void;
}

/** npm forwards a Ctrl-C that the terminal has sent to every process: signals within this time count as one. */
const duplicateSignalMs = 500;

const signals = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const;

export function stopOnSignals({ limitMs, onStopRequested, restart, end }: StopOptions): StopRequest {
  const { promise: requested, resolve } = Promise.withResolvers<void>();
  let isStopping = false;
  let isRestarting = false;
  let restartsAgain = false;
  let mayTerminate = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    onStopRequested();
    setTimeout(() => {
      mayTerminate = true;
    }, duplicateSignalMs).unref();
    setTimeout(() => end(exitCodes.failed, "overdue"), limitMs).unref();
    resolve();
  };
  const receive = (signal: NodeJS.Signals, exitCode: number) => {
    if (mayTerminate) end(exitCode, "signal");
    else if (signal !== "SIGHUP" || isStopping) stop();
    else if (isRestarting) restartsAgain = true;
    else restartOrStop();
  };
  const restartOrStop = () => {
    const restarted = restart();
    if (restarted === undefined) return stop();
    isRestarting = true;
    restartsAgain = false;
    void restarted.finally(() => {
      isRestarting = false;
      // A restart that was asked for meanwhile may be of newer files than the workers that were started first.
      if (restartsAgain && !isStopping) restartOrStop();
    });
  };
  for (const [signal, exitCode] of signals) process.on(signal, () => receive(signal, exitCode));
  return { requested, stop };
}
