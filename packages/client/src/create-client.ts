/** Puts a client together: the methods come from the contract's table, one closure each. */
import { createAccessTokens } from "./access-tokens.ts";
import { makeAttempt, writeBody } from "./attempt.ts";
import { callOperation, repeatAttempt, sendAttempt } from "./caller.ts";
import type { Client, Method, OperationMethods } from "./client.ts";
import { readCustomerToken, requestFor } from "./customer-token.ts";
import { type CallName, callNames } from "./names.ts";
import { type ClientOptions, readOptions } from "./options.ts";
import { createTimestamps } from "./timestamps.ts";
import { obtainToken } from "./token-call.ts";
import type { Station } from "./transaction-call.ts";

/**
 * A client of one partner at one provider. It keeps its token and nothing else, holds no connection and needs no
 * closing; make one and share it. Throws a TypeError that names the option at fault.
 *
 * @example
 * const client = createClient({
 *   baseUrl: "https://api.bank.example", partnerId: "SHOP01", channelId: "95221", clientKey: "shop-01",
 *   credentials: { mode: "symmetric", clientSecret, privateKey },
 * });
 * const { beneficiaryAccountName } = await client.internalAccountInquiry({ beneficiaryAccountNo: "1000000002" });
 */
export function createClient(options: ClientOptions): Client {
  const settings = readOptions(options);
  const station: Station = {
    settings,
    tokens: createAccessTokens(settings.clock, () => obtainToken(settings)),
    timestamps: createTimestamps(settings.clock),
  };
  return Object.freeze({
    ...operationMethods(station),
    call: (operation, request, callOptions) => callOperation(station, operation, request, callOptions),
    prepare: (operation, request, { externalId = settings.newExternalId() } = {}) =>
      makeAttempt(operation, externalId, writeBody(request)),
    send: (attempt, sendOptions) => sendAttempt(station, attempt, sendOptions),
    getCustomerToken: async (grant, sendOptions) =>
      readCustomerToken(await callOperation(station, "accessTokenB2b2c", requestFor(grant), sendOptions)),
    repeat: (repeatable, sendOptions) => repeatAttempt(station, repeatable, sendOptions),
  } satisfies Client);
}

/** The loop makes, name by name, what the mapped type says: `methodOf` is checked for each, their table cannot be. */
function operationMethods(station: Station): OperationMethods {
  const methodOf = <Name extends CallName>(name: Name): Method<Name> => {
    return (request, options) => callOperation(station, name, request, options);
  };
  const methods: Record<string, unknown> = {};
  for (const name of callNames) methods[name] = methodOf(name);
  return methods as OperationMethods;
}
