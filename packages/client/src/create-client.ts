/** Creates a client with one method for each operation of the contract's table. */
import { createAccessTokens } from "./tokens/access-tokens.ts";
import { makeAttempt, writeBody } from "./attempt.ts";
import { callOperation, repeatAttempt, sendAttempt } from "./calls/caller.ts";
import type { Client, Method, OperationMethods } from "./client.ts";
import { readCustomerToken, requestFor } from "./tokens/customer-token.ts";
import { type CallName, callNames } from "./names.ts";
import { type ClientOptions, readOptions } from "./options.ts";
import { resumeAttempts } from "./settling/resume.ts";
import { settleAttempt } from "./settling/settle.ts";
import { createTimestamps } from "./timestamps.ts";
import { obtainToken } from "./tokens/token-call.ts";
import type { ClientState } from "./calls/transaction-call.ts";

/**
 * A client of one partner at one provider. It caches its access token, holds no connection and needs no closing:
 * create one and share it. Throws a TypeError that names the invalid option.
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
  const state: ClientState = {
    settings,
    tokens: createAccessTokens(settings.clock, () => obtainToken(settings)),
    timestamps: createTimestamps(settings.clock),
  };
  /** Attempts that were prepared here and not sent, with the origin of their id. */
  const unsent = new WeakMap<object, "new" | "given">();
  return Object.freeze({
    ...operationMethods(state),
    call: (operation, request, callOptions) => callOperation(state, operation, request, callOptions),
    prepare(operation, request, { externalId } = {}) {
      const attempt = makeAttempt(operation, externalId ?? settings.newExternalId(), writeBody(request));
      unsent.set(attempt, externalId === undefined ? "new" : "given");
      return attempt;
    },
    send(attempt, sendOptions) {
      unsent.delete(attempt);
      return sendAttempt(state, attempt, sendOptions);
    },
    // Under an id of the caller's an earlier run may have sent it: that it did not is known by a store alone.
    async settle(attempt, settleOptions) {
      const id = unsent.get(attempt);
      unsent.delete(attempt);
      const isUnsent = id === "new" || (id === "given" && settleOptions.store !== undefined);
      return settleAttempt(state, attempt, isUnsent, settleOptions);
    },
    resume: (store, resumeOptions) => resumeAttempts(state, store, resumeOptions),
    getCustomerToken: async (grant, sendOptions) =>
      readCustomerToken(await callOperation(state, "accessTokenB2b2c", requestFor(grant), sendOptions)),
    repeat(repeatable, sendOptions) {
      unsent.delete(repeatable);
      return repeatAttempt(state, repeatable, sendOptions);
    },
  } satisfies Client);
}

/** TypeScript checks `methodOf` for each name; it cannot check the assembled object. */
function operationMethods(state: ClientState): OperationMethods {
  const methodOf = <Name extends CallName>(name: Name): Method<Name> => {
    return (request, options) => callOperation(state, name, request, options);
  };
  const methods: Record<string, unknown> = {};
  for (const name of callNames) methods[name] = methodOf(name);
  return methods as OperationMethods;
}
