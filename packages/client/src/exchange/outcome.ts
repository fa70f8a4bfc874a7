/** The outcome of a call as a value, and its conversion to the response or error that the caller gets. */
import { type OperationRow, operations } from "@titian/contract";
import { type CallResponse, makeResponse } from "./call-response.ts";
import { attemptOf } from "../attempt.ts";
import { isFinalAfter } from "./finality.ts";
import {
  type ErrorContext,
  NoResponseError,
  type NoResponseReason,
  type NotSent,
  NotSentError,
  OutcomeUnknownError,
  ProtocolError,
  SnapError,
} from "../errors/errors.ts";
import type { CallName } from "../names.ts";
import type { ParsedResponse } from "./parse-response.ts";

export type Outcome<Name extends CallName> =
  | ParsedResponse<Name>
  | { readonly kind: "noResponse"; readonly reason: NoResponseReason; readonly detail: string }
  | ({ readonly kind: "notSent" } & NotSent);

/** The call of an outcome. */
export interface CompletedCall<Name extends CallName> {
  readonly operation: Name;
  /** 73 and 74 have none. */
  readonly externalId?: string | undefined;
  readonly body: string;
  /** True: an earlier send of the same external id may have taken effect. */
  readonly maybeSentBefore: boolean;
}

export function toResult<Name extends CallName>(call: CompletedCall<Name>, outcome: Outcome<Name>): CallResponse<Name> {
  if (outcome.kind === "response") return makeResponse(call, outcome);
  throw toError(call, outcome);
}

function toError<Name extends CallName>(
  { operation, externalId, body, maybeSentBefore }: CompletedCall<Name>,
  outcome: Exclude<Outcome<Name>, { kind: "response" }>,
): Error {
  const row: OperationRow = operations[operation];
  const isWrite = row.kind === "write";
  const attempt = attemptOf(operation, externalId, body);
  const context = (isFinal: boolean): ErrorContext<Name> => ({ operation, externalId, attempt, isFinal });
  switch (outcome.kind) {
    case "rejection":
      return new SnapError(outcome.rejection, context(isFinalAfter(row, outcome.rejection, maybeSentBefore)));
    case "notSent":
      return new NotSentError(outcome, context(!isWrite || !maybeSentBefore));
    case "noResponse": {
      const error = new NoResponseError(outcome.reason, outcome.detail, context(!isWrite));
      return isWrite ? new OutcomeUnknownError(error, context(false)) : error;
    }
    case "unreadable": {
      const error = new ProtocolError(outcome.httpStatus, outcome.detail, context(!isWrite));
      return isWrite ? new OutcomeUnknownError(error, context(false)) : error;
    }
    default: {
      const never: never = outcome;
      return never;
    }
  }
}
