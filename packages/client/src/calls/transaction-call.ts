/** Every call but 73 and 74: token, signature, exchange. Sends once; again only after a rejected access token. */
import { operations } from "@titian/contract";
import type { AccessTokens } from "../tokens/access-tokens.ts";
import type { SendOptions } from "../exchange/call-options.ts";
import { type Deadline, startDeadline } from "../exchange/deadline.ts";
import { isTokenError } from "../errors/error-guards.ts";
import { exchange } from "../exchange/exchange.ts";
import { intentOf } from "./intent-of.ts";
import type { CallName } from "../names.ts";
import type { Settings } from "../options.ts";
import type { Outcome } from "../exchange/outcome.ts";
import { parseResponse } from "../exchange/parse-response.ts";
import { transactionHeaders } from "../signed-headers.ts";
import type { Timestamps } from "../timestamps.ts";

/** State shared by all calls of a client. */
export interface ClientState {
  readonly settings: Settings;
  readonly tokens: AccessTokens;
  readonly timestamps: Timestamps;
}

export interface Transaction<Name extends CallName> {
  readonly name: Name;
  readonly externalId: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly options: SendOptions;
  /** `X-TIMESTAMP`. Default: now, later than of any send before it. */
  readonly timestamp?: string;
}

type NotSentOutcome = Extract<Outcome<CallName>, { kind: "notSent" }>;

export async function callTransaction<Name extends CallName>(
  state: ClientState,
  transaction: Transaction<Name>,
): Promise<Outcome<Name>> {
  const { timeoutMs, signal } = transaction.options;
  const deadline = startDeadline(timeoutMs ?? state.settings.timeoutMs, signal);
  try {
    const token = await getToken(state, deadline);
    if (token.kind === "notSent") return token;
    const outcome = await sendOnce(state, transaction, deadline, token.accessToken);
    if (token.accessToken === undefined || !isTokenRejected(outcome)) return outcome;
    // The provider checks the token before processing (spec D2, step 4), so this is still the first send. Once only:
    // if a new token is rejected too, expiry is not the reason.
    state.tokens.drop(token.accessToken);
    const fresh = await getToken(state, deadline);
    return fresh.kind === "notSent" ? fresh : await sendOnce(state, transaction, deadline, fresh.accessToken);
  } finally {
    deadline.release();
  }
}

/** Mode 2 has no token. */
type Token = { readonly kind: "ready"; readonly accessToken: string | undefined } | NotSentOutcome;

async function getToken({ settings, tokens }: ClientState, deadline: Deadline): Promise<Token> {
  const ended = endedBeforeSending(deadline);
  if (ended !== undefined) return ended;
  try {
    const accessToken = settings.keys.mode === "symmetric" ? await tokens.get(deadline) : undefined;
    return { kind: "ready", accessToken };
  } catch (error) {
    if (isTokenError(error)) return { kind: "notSent", reason: "token", cause: error };
    const endedWhileWaiting = endedBeforeSending(deadline);
    if (endedWhileWaiting !== undefined) return endedWhileWaiting;
    throw error;
  }
}

async function sendOnce<Name extends CallName>(
  { settings, timestamps }: ClientState,
  { name, externalId, bytes, options, timestamp = timestamps.of(externalId, intentOf(name, bytes)) }: Transaction<Name>,
  deadline: Deadline,
  accessToken: string | undefined,
): Promise<Outcome<Name>> {
  const row = operations[name];
  const path = `${settings.basePath}/${row.path}`;
  const headers = await transactionHeaders(settings, { path, externalId, bytes, accessToken, timestamp }, options);
  const ended = endedBeforeSending(deadline);
  if (ended !== undefined) return ended;
  const secrets = [accessToken, options.customerToken].filter((secret) => secret !== undefined);
  const exchanged = await exchange(settings, { row, externalId, path, headers, bytes, secrets }, deadline);
  return exchanged.kind === "received" ? parseResponse(name, exchanged) : exchanged;
}

function endedBeforeSending(deadline: Deadline): NotSentOutcome | undefined {
  const reason = deadline.reason();
  return reason === undefined ? undefined : { kind: "notSent", reason };
}

function isTokenRejected(outcome: Outcome<CallName>): boolean {
  return outcome.kind === "rejection" && outcome.rejection.caseName === "invalidToken";
}
