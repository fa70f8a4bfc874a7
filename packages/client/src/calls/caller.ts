/** The three ways to make a call: an operation with its request, the first send of an attempt, a repeat. */
import { type OperationRow, operations } from "@titian/contract";
import type { CallResponse } from "../exchange/call-response.ts";
import { type Attempt, checkAttempt, writeBody } from "../attempt.ts";
import { type CallOptions, checkSendOptions, type SendOptions } from "../exchange/call-options.ts";
import type { Repeatable } from "../client.ts";
import { checkExternalId } from "../external-id.ts";
import type { CallName, WriteName } from "../names.ts";
import type { RequestOf } from "../request-of.ts";
import { toResult } from "../exchange/outcome.ts";
import { callForToken } from "../tokens/token-call.ts";
import { callTransaction, type ClientState } from "./transaction-call.ts";

/** Reads all its input before the first await, so the caller may change the objects afterwards. */
export async function callOperation<Name extends CallName>(
  state: ClientState,
  operation: Name,
  request: RequestOf<Name>,
  options: CallOptions = {},
): Promise<CallResponse<Name>> {
  checkSendOptions(options);
  const body = writeBody(request);
  const row: OperationRow = operations[operation];
  if (row.kind === "token") {
    const outcome = await callForToken(state.settings, operation, body, options);
    return toResult({ operation, body, maybeSentBefore: false }, outcome);
  }
  const externalId = checkExternalId(options.externalId ?? state.settings.newExternalId());
  return transact(state, { operation, externalId, body, maybeSentBefore: options.externalId !== undefined }, options);
}

export async function sendAttempt<Name extends WriteName>(
  state: ClientState,
  attempt: Attempt<Name>,
  options: SendOptions = {},
): Promise<CallResponse<Name>> {
  checkSendOptions(options);
  return transact(state, { ...checkAttempt(attempt), maybeSentBefore: false }, options);
}

/** An attempt without an error comes from storage: it may have been sent. */
export async function repeatAttempt<Name extends WriteName>(
  state: ClientState,
  repeatable: Repeatable<Name>,
  options: SendOptions = {},
): Promise<CallResponse<Name>> {
  checkSendOptions(options);
  const hasFailed = "attempt" in repeatable;
  const attempt = checkAttempt(hasFailed ? repeatable.attempt : repeatable);
  return transact(state, { ...attempt, maybeSentBefore: !hasFailed || !repeatable.isFinal }, options);
}

interface Sendable<Name extends CallName> {
  readonly operation: Name;
  readonly externalId: string;
  readonly body: string;
  readonly maybeSentBefore: boolean;
}

async function transact<Name extends CallName>(
  state: ClientState,
  sendable: Sendable<Name>,
  options: SendOptions,
): Promise<CallResponse<Name>> {
  const { operation: name, externalId, body } = sendable;
  const bytes = new TextEncoder().encode(body);
  return toResult(sendable, await callTransaction(state, { name, externalId, bytes, options }));
}
