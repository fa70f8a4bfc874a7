/**
 * One write as it may be sent, and sent again: the same external id and the same body bytes, whatever happens between.
 * Plain data: store it before the first send, and a crash of the caller leaves nothing unknown for good.
 */
import { checkExternalId } from "./external-id.ts";
import { type CallName, isWriteName, type WriteName } from "./names.ts";

export interface Attempt<Name extends WriteName = WriteName> {
  readonly operation: Name;
  /** `X-EXTERNAL-ID` of every send: the idempotency key. */
  readonly externalId: string;
  /** The JSON text of every send; its UTF-8 bytes are signed and sent. */
  readonly body: string;
}

/** The attempt of a call; reads and tokens have none, since sending them again is another call. */
export type AttemptOf<Name extends CallName> = Name extends WriteName ? Attempt<Name> : undefined;

/** Writes a request as JSON, once. Later changes to the object no longer matter. */
export function writeBody(request: object): string {
  if (typeof request !== "object" || request === null)
    throw new TypeError("the request must be an object of its fields");
  return JSON.stringify(request);
}

export function makeAttempt<Name extends WriteName>(operation: Name, externalId: string, body: string): Attempt<Name> {
  return Object.freeze({ operation, externalId: checkExternalId(externalId), body });
}

/** Whether there is one depends on the operation's kind, as the type says. */
export function attemptOf<Name extends CallName>(
  operation: Name,
  externalId: string | undefined,
  body: string,
): AttemptOf<Name> {
  const hasAttempt = isWriteName(operation) && externalId !== undefined;
  return (hasAttempt ? makeAttempt(operation, externalId, body) : undefined) as AttemptOf<Name>;
}

/** An attempt that comes from a caller's storage; throws a TypeError when it is none. */
export function checkAttempt<Name extends WriteName>(attempt: Attempt<Name>): Attempt<Name> {
  if (!isWriteName(attempt.operation) || typeof attempt.body !== "string") {
    throw new TypeError("an attempt is { operation, externalId, body }, as client.prepare() or an error gave it");
  }
  return makeAttempt(attempt.operation, attempt.externalId, attempt.body);
}
