/** The two ways to ask the service to stop: a first signal drains it, a second one ends it at once. */
import { exitCodes } from "../cli-error.ts";

export interface StopRequest {
  /** Resolves at the first signal, or when `stop` is called. */
  readonly asked: Promise<void>;
  stop(): void;
}

export interface StopOptions {
  /** Time to drain, from the moment it was asked for. */
  readonly limitMs: number;
  readonly onAsked: () => void;
  /** Ends the process at once: with the exit code a shell expects after a signal, or because the time is up. */
  readonly end: (exitCode: number, why: "signal" | "overdue") => void;
}

/** npm passes a Ctrl-C on that the terminal has sent to every process already: signals within this time are one. */
const sameWishMs = 500;

const signals = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const;

export function stopOnSignals({ limitMs, onAsked, end }: StopOptions): StopRequest {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  let isAsked = false;
  let mayEnd = false;
  const stop = () => {
    if (isAsked) return;
    isAsked = true;
    onAsked();
    setTimeout(() => {
      mayEnd = true;
    }, sameWishMs).unref();
    setTimeout(() => end(exitCodes.failed, "overdue"), limitMs).unref();
    resolve();
  };
  for (const [signal, exitCode] of signals) {
    process.on(signal, () => (mayEnd ? end(exitCode, "signal") : stop()));
  }
  return { asked, stop };
}
