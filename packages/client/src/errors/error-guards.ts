/** Type guards for errors; `instanceof` works too, but loses the operation's types. */
import {
  NoResponseError,
  NotSentError,
  OutcomeUnknownError,
  ProtocolError,
  SnapError,
  type TokenError,
} from "./errors.ts";
import type { CallName, WriteName } from "../names.ts";

/** Every error a call throws, discriminated by `code`. */
export type CallError<Name extends CallName = CallName> =
  | SnapError<Name>
  | OutcomeUnknownError<Name>
  | NotSentError<Name>
  | NoResponseError<Name>
  | ProtocolError<Name>;

/** Any error of a call, or of a call of the given operation. */
export function isCallError<Name extends CallName = CallName>(
  error: unknown,
  operation?: Name,
): error is CallError<Name> {
  const isOurs =
    error instanceof SnapError ||
    error instanceof OutcomeUnknownError ||
    error instanceof NotSentError ||
    error instanceof NoResponseError ||
    error instanceof ProtocolError;
  return isOurs && isOf(error, operation);
}

/** The provider rejected the call: `switch` on `caseName`. */
export function isSnapError<Name extends CallName = CallName>(
  error: unknown,
  operation?: Name,
): error is SnapError<Name> {
  return error instanceof SnapError && isOf(error, operation);
}

/** A write that may have taken effect. */
export function isOutcomeUnknown<Name extends WriteName = WriteName>(
  error: unknown,
  operation?: Name,
): error is OutcomeUnknownError<Name> {
  return error instanceof OutcomeUnknownError && isOf(error, operation);
}

/** An error of 73. */
export function isTokenError(error: unknown): error is TokenError {
  return isCallError(error, "accessTokenB2b") && error.code !== "ERR_OUTCOME_UNKNOWN";
}

function isOf(error: { readonly operation: CallName }, operation: CallName | undefined): boolean {
  return operation === undefined || error.operation === operation;
}
