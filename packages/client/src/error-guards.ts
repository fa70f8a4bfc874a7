/** Telling thrown values apart with exact types: `instanceof` works as well, but forgets the operation. */
import {
  NoAnswerError,
  NotSentError,
  OutcomeUnknownError,
  ProtocolError,
  SnapError,
  type TokenFault,
} from "./errors.ts";
import type { CallName, WriteName } from "./names.ts";

/** Every error a call throws; tell them apart by `code`. */
export type CallError<Name extends CallName = CallName> =
  | SnapError<Name>
  | OutcomeUnknownError<Name>
  | NotSentError<Name>
  | NoAnswerError<Name>
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
    error instanceof NoAnswerError ||
    error instanceof ProtocolError;
  return isOurs && isOf(error, operation);
}

/** The provider said no: `switch` on `caseName`. */
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

/** A fault of 73. */
export function isTokenFault(error: unknown): error is TokenFault {
  return isCallError(error, "accessTokenB2b") && error.code !== "ERR_OUTCOME_UNKNOWN";
}

function isOf(error: { readonly operation: CallName }, operation: CallName | undefined): boolean {
  return operation === undefined || error.operation === operation;
}
