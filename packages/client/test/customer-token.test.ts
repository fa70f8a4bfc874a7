/** A customer's token: from a code, from a refresh token, used in a call. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { operations } from "@titian/contract";
import { createClient, type CustomerGrant, type ExchangeRecord, isCallError, isSnapError } from "../src/index.ts";
import { asymmetric, symmetric } from "./helpers/credentials.ts";
import { json, recordingFetch } from "./helpers/recording-fetch.ts";
import { rejection } from "./helpers/rejection.ts";
import { accepted, rejected, transfer } from "./helpers/transfer.ts";

const example = operations.accessTokenB2b2c.example.response;
const envelope = { responseCode: "2007400", responseMessage: "Successful" };
const answered = (fields: Readonly<Record<string, unknown>> = {}) => json(200, { ...envelope, ...example, ...fields });

test("a code and a refresh token get what the caller has to keep", async () => {
  for (const options of [symmetric, asymmetric]) {
    const { fetch, calls, tokenCalls } = recordingFetch(() => answered());
    const client = createClient({ ...options, fetch });
    const token = await client.getCustomerToken({ authCode: "code-1" });
    assert.deepEqual(token, {
      accessToken: example.accessToken,
      expiresAt: Date.parse(example.accessTokenExpiryTime),
      refreshToken: example.refreshToken,
      refreshTokenExpiresAt: Date.parse(example.refreshTokenExpiryTime),
    });
    await client.getCustomerToken({ refreshToken: token.refreshToken });
    assert.deepEqual(
      calls.map(({ path, body }) => [path, JSON.parse(body)]),
      [
        ["/v1.0/access-token/b2b2c", { grantType: "authorization_code", authCode: "code-1" }],
        ["/v1.0/access-token/b2b2c", { grantType: "refresh_token", refreshToken: example.refreshToken }],
      ],
    );
    assert.equal(tokenCalls.length, 0, "74 needs no token of 73");
  }
});

test("the token goes into a call as it came", async () => {
  const { fetch, calls } = recordingFetch(({ path }) => (path.endsWith("b2b2c") ? answered() : accepted()));
  const client = createClient({ ...symmetric, fetch });
  const { accessToken: customerToken } = await client.getCustomerToken({ authCode: "code-1" });
  await client.intrabankTransfer(transfer, { customerToken });
  assert.equal(calls.at(-1)?.headers["Authorization-Customer"], `Bearer ${example.accessToken}`);
});

test("a code that is not good is a rejection with its reason, sent once", async () => {
  const { fetch, calls } = recordingFetch(() =>
    rejected("unauthorized", { reason: "Invalid authorization code" }, "74"),
  );
  const error = await rejection(createClient({ ...symmetric, fetch }).getCustomerToken({ authCode: "code-1" }));
  assert.ok(isSnapError(error, "accessTokenB2b2c"));
  assert.deepEqual([error.caseName, error.reason, error.isFinal], ["unauthorized", "Invalid authorization code", true]);
  assert.equal(calls.length, 1);
});

const unusable: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["a token that fits no header", { accessToken: "two words" }],
  ["no refresh token", { refreshToken: undefined }],
  ["a time that is none", { accessTokenExpiryTime: "in 15 days" }],
];
for (const [name, fields] of unusable) {
  test(`a response that cannot be used is a ProtocolError: ${name}`, async () => {
    const { fetch } = recordingFetch(() => answered(fields));
    const error = await rejection(createClient({ ...symmetric, fetch }).getCustomerToken({ authCode: "code-1" }));
    assert.ok(isCallError(error, "accessTokenB2b2c"));
    assert.equal(error.code, "ERR_PROTOCOL");
  });
}

const mistakes = ["{}", '{"authCode":""}', '{"authCode":"a","refreshToken":"b"}', '{"refreshToken":7}'];
for (const mistake of mistakes) {
  test(`a mistake is found before anything is sent: ${mistake}`, async () => {
    const { fetch, calls } = recordingFetch(() => answered());
    const grant: CustomerGrant = JSON.parse(mistake);
    const error = await rejection(createClient({ ...symmetric, fetch }).getCustomerToken(grant));
    assert.ok(error instanceof TypeError);
    assert.equal(calls.length, 0);
  });
}

test("nothing of what was presented or got is in an error, or shown to an observer", async () => {
  const secret = "a-secret-of-a-customer";
  const seen: ExchangeRecord[] = [];
  const onExchange = (exchange: ExchangeRecord) => seen.push(exchange);
  const talkative = ({ body }: { readonly body: string }) => Promise.reject(new Error(`could not send ${body}`));
  for (const respond of [talkative, () => answered({ accessToken: `${secret} ${secret}` }), () => json(200, secret)]) {
    const { fetch } = recordingFetch(respond);
    const client = createClient({ ...symmetric, fetch, onExchange });
    for (const grant of [{ authCode: secret }, { refreshToken: secret }]) {
      const error = await rejection(client.getCustomerToken(grant));
      assert.ok(isCallError(error));
      for (const text of [String(error), inspect(error, { depth: 20, showHidden: true }), JSON.stringify(error)]) {
        assert.ok(!text.includes(secret), text);
      }
    }
  }
  assert.equal(seen.length, 6);
  assert.ok(!JSON.stringify(seen).includes(secret));
});
