/**
 * A write prepared for sending and repeating: every send has the same external id and body bytes. Plain data: stored
 * before the first send, it lets the caller resolve the write after a crash.
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

/** The attempt of a write; reads and token calls have none. */
export type AttemptOf<Name extends CallName> = Name extends WriteName ? Attempt<Name> : undefined;

/** Serializes a request once; later changes to the object have no effect. */
export function writeBody(request: object): string {
  if (typeof request !== "object" || request === null)
    throw new TypeError("the request must be an object of its fields");
  return JSON.stringify(request);
}

export function makeAttempt<Name extends WriteName>(operation: Name, externalId: string, body: string): Attempt<Name> {
  return Object.freeze({ operation, externalId: checkExternalId(externalId), body });
}

export function attemptOf<Name extends CallName>(
  operation: Name,
  externalId: string | undefined,
  body: string,
): AttemptOf<Name> {
  const hasAttempt = isWriteName(operation) && externalId !== undefined;
  return (hasAttempt ? makeAttempt(operation, externalId, body) : undefined) as AttemptOf<Name>;
}

/** Validates an attempt from the caller's storage. Throws a TypeError. */
export function checkAttempt<Name extends WriteName>(attempt: Attempt<Name>): Attempt<Name> {
  if (!isWriteName(attempt.operation) || typeof attempt.body !== "string") {
    throw new TypeError("an attempt must be { operation, externalId, body } from client.prepare() or an error");
  }
  return makeAttempt(attempt.operation, attempt.externalId, attempt.body);
}
