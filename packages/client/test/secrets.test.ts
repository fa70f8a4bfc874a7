// Nothing secret in anything a program prints by accident: the client, its errors, what an observer is shown.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { type Client, createClient, type ExchangeRecord, isCallError } from "../src/index.ts";
import { clientSecret, privateKey, symmetric } from "./helpers/credentials.ts";
import { json, recordingFetch } from "./helpers/recording-fetch.ts";
import { rejection } from "./helpers/rejection.ts";
import { accepted, rejected, transfer } from "./helpers/transfer.ts";

const customerToken = "customer-token-1";
/** `token-1` is what the recording's 73 gives. */
const secrets = [clientSecret, privateKey.slice(40, 80), "Bearer token-1", "token-1", customerToken];

function assertNoSecret(value: unknown): void {
  const texts = [
    inspect(value, { depth: 20, getters: true }),
    inspect(value, { depth: 20, showHidden: true }),
    JSON.stringify(value) ?? "",
    String(value),
  ];
  for (const text of texts) {
    for (const secret of secrets) assert.ok(!text.includes(secret), `found ${secret} in ${text}`);
  }
}

/** Error as libraries make it: the whole request, tokens included, hangs on it. */
class TalkativeError extends Error {
  readonly config: unknown;
  constructor(config: unknown) {
    super(`the request ${JSON.stringify(config)} failed`);
    this.config = config;
  }
}

test("a client shows nothing, even with a token in its cache", async () => {
  const { fetch } = recordingFetch(accepted);
  const client: Client = createClient({ ...symmetric, fetch });
  await client.intrabankTransfer(transfer, { customerToken });
  assertNoSecret(client);
  assertNoSecret(await client.intrabankTransfer(transfer));
});

const failures: readonly (readonly [string, Parameters<typeof recordingFetch>])[] = [
  ["rejected", [() => rejected("insufficientFunds")]],
  ["unreadable", [() => json(500, "<html>token-1</html>")]],
  ["a talkative network", [({ headers }) => Promise.reject(new TalkativeError(headers))]],
  ["no token", [accepted, () => rejected("unauthorized", { reason: "Signature" }, "73")]],
  ["a talkative network at the token call", [accepted, ({ headers }) => Promise.reject(new TalkativeError(headers))]],
  ["an unreadable token", [accepted, () => json(200, '{"accessToken":"token-1"')]],
  [
    "a token that is no success",
    [accepted, () => json(403, { responseCode: "4037301", responseMessage: "No", accessToken: "token-1" })],
  ],
];

for (const [name, recording] of failures) {
  test(`an error shows no secret: ${name}`, async () => {
    const { fetch } = recordingFetch(...recording);
    const client = createClient({ ...symmetric, fetch });
    const error = await rejection(client.intrabankTransfer(transfer, { customerToken }));
    assert.ok(isCallError(error));
    assertNoSecret(error);
    assert.ok(!inspect(error).includes(transfer.beneficiaryAccountNo), "nor what was paid to whom");
  });
}

test("an observer sees each request and response as they were, secrets hidden", async () => {
  const seen: ExchangeRecord[] = [];
  const { fetch, calls } = recordingFetch(accepted);
  const client = createClient({ ...symmetric, fetch, onExchange: (exchange) => seen.push(exchange) });
  const response = await client.intrabankTransfer(transfer, { customerToken, headers: { "X-DEVICE-ID": "device-1" } });

  const [token, call, ...more] = seen;
  assert.ok(token !== undefined && call !== undefined);
  assert.equal(more.length, 0);
  assertNoSecret(seen);
  assert.equal(token.operation, "accessTokenB2b");
  assert.deepEqual(token.response, { status: 200, body: "[hidden]" });
  assert.equal(call.operation, "intrabankTransfer");
  assert.equal(call.externalId, response.externalId);
  assert.equal(call.request.url, "https://provider.example/v1.0/transfer-intrabank");
  assert.equal(call.request.body, calls[0]?.body);
  const hidden = { Authorization: "Bearer [hidden]", "Authorization-Customer": "Bearer [hidden]" };
  assert.deepEqual(call.request.headers, { ...calls[0]?.headers, ...hidden });
  assert.equal(call.response?.body, response.raw);
  assert.ok(call.durationMs >= 0);
});

test("an observer sees a call without a response, and none of a customer's code", async () => {
  const seen: ExchangeRecord[] = [];
  const { fetch } = recordingFetch(() => Promise.reject(new Error("reset")));
  const client = createClient({ ...symmetric, fetch, onExchange: (exchange) => seen.push(exchange) });
  await rejection(client.accessTokenB2b2c({ grantType: "authorization_code", authCode: "customer-token-1" }));
  assert.equal(seen.length, 1);
  assert.equal(seen[0]?.response, undefined);
  assertNoSecret(seen);
});

test("an observer that throws changes nothing", async () => {
  const { fetch } = recordingFetch(accepted);
  const onExchange = (): void => {
    throw new Error("observer");
  };
  const response = await createClient({ ...symmetric, fetch, onExchange }).intrabankTransfer(transfer);
  assert.equal(response.case, "success");
});
