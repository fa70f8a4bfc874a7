/** The deadline of a call: its time-out or the caller's signal, whichever comes first. */
import type { Signal } from "../platform.ts";

export type EndReason = "timeout" | "aborted";

export interface Deadline {
  /** For `fetch`. */
  readonly signal: Signal;
  /** Reason why the call ended, once it has. */
  reason(): EndReason | undefined;
  /** The promise, or a rejection as soon as the call ends, also with a `fetch` that ignores the signal. */
  race<Value>(promise: Promise<Value>): Promise<Value>;
  /** Releases timer and listener. Must be called when the call is over. */
  release(): void;
}

export function startDeadline(timeoutMs: number, caller: Signal | undefined): Deadline {
  const controller = new AbortController();
  let reason: EndReason | undefined;
  let rejectEnded: (error: Error) => void = () => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    rejectEnded = reject;
  });
  // Avoids an unhandled rejection when nothing is racing.
  ended.catch(() => undefined);

  function end(why: EndReason): void {
    if (reason !== undefined) return;
    reason = why;
    const error = new Error(why);
    controller.abort(error);
    rejectEnded(error);
  }

  const onAbort = (): void => end("aborted");
  const timer = setTimeout(() => end("timeout"), timeoutMs);
  caller?.addEventListener("abort", onAbort, { once: true });
  if (caller?.aborted === true) onAbort();

  return {
    signal: controller.signal,
    reason: () => reason,
    race: (promise) => Promise.race([promise, ended]),
    release() {
      clearTimeout(timer);
      caller?.removeEventListener("abort", onAbort);
    },
  };
}
