/** Repeats calls after failures that pass: no response, 5xx, 429, 503 with `Retry-After`. */
import { setTimeout as pause } from "node:timers/promises";
import type { SendOptions } from "../exchange/call-options.ts";
import { isCallError, type CallError } from "../errors/error-guards.ts";

export interface RetryOptions extends Pick<SendOptions, "signal" | "timeoutMs"> {
  /** Time for which a call is repeated before its error is thrown, in milliseconds of pauses. Default: 10 minutes. */
  readonly retryForMs?: number | undefined;
  /** Called before each pause. */
  readonly onRetry?: ((error: CallError, pauseMs: number) => void) | undefined;
}

const defaultRetryForMs = 600_000;
const firstPauseMs = 500;
const longestPauseMs = 15_000;

/** The result of the first call that does not fail in passing. Rejects with an AbortError when the signal ends a pause. */
export async function retryCall<Result>(call: () => Promise<Result>, options: RetryOptions): Promise<Result> {
  const { signal, onRetry, retryForMs = defaultRetryForMs } = options;
  let paused = 0;
  for (let count = 0; ; count += 1) {
    signal?.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      if (!isCallError(error) || !passes(error)) throw error;
      const pauseMs = askedPause(error) ?? Math.min(firstPauseMs * 2 ** Math.min(count, 10), longestPauseMs);
      paused += pauseMs;
      if (paused > retryForMs) throw error;
      onRetry?.(error, pauseMs);
      await pause(pauseMs, undefined, signal && { signal });
    }
  }
}

/** True: the same call may have another outcome soon. */
function passes(error: CallError): boolean {
  switch (error.code) {
    case "ERR_SNAP_RESPONSE":
      return error.httpStatus >= 500 || error.httpStatus === 429;
    case "ERR_OUTCOME_UNKNOWN":
      return passes(error.cause);
    case "ERR_NO_RESPONSE":
      return error.reason !== "aborted";
    case "ERR_PROTOCOL":
      return error.httpStatus >= 500;
    case "ERR_NOT_SENT":
      return error.reason === "token" && error.cause !== undefined ? passes(error.cause) : error.reason === "timeout";
    default: {
      const never: never = error;
      return never;
    }
  }
}

/** `Retry-After`: of the call, or of the token call before it. */
function askedPause(error: CallError): number | undefined {
  if (error.code === "ERR_NOT_SENT") return error.cause && askedPause(error.cause);
  return error.code === "ERR_SNAP_RESPONSE" ? error.retryAfterMs : undefined;
}
