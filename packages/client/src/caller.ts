/** The three ways to make a call: an operation with its request, an attempt for the first time, an attempt again. */
import { type OperationRow, operations, type RequestOf } from "@titian/contract";
import type { Answer } from "./answer.ts";
import { type Attempt, checkAttempt, writeBody } from "./attempt.ts";
import { type CallOptions, checkSendOptions, type SendOptions } from "./call-options.ts";
import type { Repeatable } from "./client.ts";
import { checkExternalId } from "./external-id.ts";
import type { CallName, WriteName } from "./names.ts";
import { conclude } from "./outcome.ts";
import { callForToken } from "./token-call.ts";
import { callTransaction, type Station } from "./transaction-call.ts";

/** Everything is read before the first wait, so the caller may change what it passed. */
export async function callOperation<Name extends CallName>(
  station: Station,
  operation: Name,
  request: RequestOf<Name>,
  options: CallOptions = {},
): Promise<Answer<Name>> {
  checkSendOptions(options);
  const body = writeBody(request);
  const row: OperationRow = operations[operation];
  if (row.kind === "token") {
    const outcome = await callForToken(station.settings, operation, body, options);
    return conclude({ operation, body, maybeSentBefore: false }, outcome);
  }
  const externalId = checkExternalId(options.externalId ?? station.settings.newExternalId());
  return transact(station, { operation, externalId, body, maybeSentBefore: options.externalId !== undefined }, options);
}

export async function sendAttempt<Name extends WriteName>(
  station: Station,
  attempt: Attempt<Name>,
  options: SendOptions = {},
): Promise<Answer<Name>> {
  checkSendOptions(options);
  return transact(station, { ...checkAttempt(attempt), maybeSentBefore: false }, options);
}

/** An attempt without an error comes from storage: how far it got is unknown. */
export async function repeatAttempt<Name extends WriteName>(
  station: Station,
  repeatable: Repeatable<Name>,
  options: SendOptions = {},
): Promise<Answer<Name>> {
  checkSendOptions(options);
  const hasFailed = "attempt" in repeatable;
  const attempt = checkAttempt(hasFailed ? repeatable.attempt : repeatable);
  return transact(station, { ...attempt, maybeSentBefore: !hasFailed || !repeatable.isDecided }, options);
}

interface Sendable<Name extends CallName> {
  readonly operation: Name;
  readonly externalId: string;
  readonly body: string;
  readonly maybeSentBefore: boolean;
}

async function transact<Name extends CallName>(
  station: Station,
  sendable: Sendable<Name>,
  options: SendOptions,
): Promise<Answer<Name>> {
  const { operation: name, externalId, body } = sendable;
  const bytes = new TextEncoder().encode(body);
  return conclude(sendable, await callTransaction(station, { name, externalId, bytes, options }));
}
