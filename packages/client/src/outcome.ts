/** Everything that can come of a call, as a value; and its turning into what the caller gets: an answer or an error. */
import { type OperationRow, operations } from "@titian/contract";
import { type Answer, makeAnswer } from "./answer.ts";
import { attemptOf } from "./attempt.ts";
import { isDecidedBy } from "./decided.ts";
import {
  type ErrorContext,
  NoAnswerError,
  type NoAnswerReason,
  type NotSent,
  NotSentError,
  OutcomeUnknownError,
  ProtocolError,
  SnapError,
} from "./errors.ts";
import type { CallName } from "./names.ts";
import type { ReadAnswer } from "./read-answer.ts";

export type Outcome<Name extends CallName> =
  | ReadAnswer<Name>
  | { readonly kind: "noAnswer"; readonly reason: NoAnswerReason; readonly detail: string }
  | ({ readonly kind: "notSent" } & NotSent);

/** The call an outcome belongs to. */
export interface Concluded<Name extends CallName> {
  readonly operation: Name;
  /** 73 and 74 have none. */
  readonly externalId?: string | undefined;
  readonly body: string;
  /** Whether an earlier send of the same external id may have taken effect. */
  readonly maybeSentBefore: boolean;
}

export function conclude<Name extends CallName>(call: Concluded<Name>, outcome: Outcome<Name>): Answer<Name> {
  if (outcome.kind === "answer") return makeAnswer(call, outcome);
  throw toError(call, outcome);
}

function toError<Name extends CallName>(
  { operation, externalId, body, maybeSentBefore }: Concluded<Name>,
  outcome: Exclude<Outcome<Name>, { kind: "answer" }>,
): Error {
  const row: OperationRow = operations[operation];
  const isWrite = row.kind === "write";
  const attempt = attemptOf(operation, externalId, body);
  const context = (isDecided: boolean): ErrorContext<Name> => ({ operation, externalId, attempt, isDecided });
  switch (outcome.kind) {
    case "refusal":
      return new SnapError(outcome.refusal, context(isDecidedBy(row, outcome.refusal, maybeSentBefore)));
    case "notSent":
      return new NotSentError(outcome, context(!isWrite || !maybeSentBefore));
    case "noAnswer": {
      const error = new NoAnswerError(outcome.reason, outcome.detail, context(!isWrite));
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
