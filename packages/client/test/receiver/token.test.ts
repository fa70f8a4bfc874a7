// Goal: mode 1. The provider obtains a token with its RSA key and signs with it and our client secret; nobody else can.
import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTimestamp, signRsa, stringToSign } from "@titian/contract";
import { createTokenEndpoint, type TokenEndpointOptions } from "../../src/index.ts";
import {
  type Answered,
  clientKey,
  clientSecret,
  deliver,
  otherPrivateKey,
  otherPublicKey,
  privateKey,
  publicKey,
  rtgs,
  sign,
  startTime,
  testReceiver,
  tokenSecret,
} from "../helpers/provider.ts";
import { movableClock } from "../helpers/movable-clock.ts";

const tokenPath = "/base/v1.0/access-token/b2b";
const grant = JSON.stringify({ grantType: "client_credentials" });

function tokenEndpoint(options: Partial<TokenEndpointOptions> = {}) {
  const endpoint = { clientKey, providerPublicKeys: [publicKey], tokenSecrets: [tokenSecret] };
  return createTokenEndpoint({ clock: movableClock(startTime), ...endpoint, ...options });
}

function tokenCall(changes: { key?: string; timestamp?: string; clientKey?: string; body?: string } = {}) {
  const timestamp = changes.timestamp ?? formatTimestamp(startTime);
  const client = changes.clientKey ?? clientKey;
  const headers = {
    "content-type": "application/json",
    "x-timestamp": timestamp,
    "x-client-key": client,
    "x-signature": signRsa(changes.key ?? privateKey, stringToSign.token(client, timestamp)),
  };
  return { path: tokenPath, headers, body: changes.body ?? grant };
}

async function obtainToken(options: Partial<TokenEndpointOptions> = {}, call = tokenCall()): Promise<string> {
  const { body } = await deliver(tokenEndpoint(options), call);
  assert.ok(typeof body["accessToken"] === "string");
  return body["accessToken"];
}

const codeAndMessage = ({ body }: Answered) => `${String(body["responseCode"])} ${String(body["responseMessage"])}`;

const mode1 = (clientSecrets = [clientSecret], tokenSecrets = [tokenSecret]) =>
  testReceiver({ keys: { mode: "symmetric", clientSecrets, tokenSecrets } });

test("the provider obtains a token and sends a notification with it", async () => {
  const answer = await deliver(tokenEndpoint(), tokenCall());
  const { accessToken, ...fields } = answer.body;
  assert.deepEqual(fields, {
    responseCode: "2007300",
    responseMessage: "Successful",
    tokenType: "Bearer",
    expiresIn: "900",
  });
  assert.equal(answer.headers.get("x-client-key"), clientKey);
  const { receiver, handled } = mode1();
  assert.equal((await deliver(receiver, sign(rtgs, { accessToken: String(accessToken) }))).responseCode, "2007600");
  assert.deepEqual(handled, [rtgs]);
});

test("a token lives as long as announced", async () => {
  const accessToken = await obtainToken({ lifetimeSeconds: 60 });
  const { receiver, clock } = mode1();
  const delivery = sign(rtgs, { accessToken, timestamp: formatTimestamp(startTime + 60_000) });
  clock.advance(59_999);
  assert.equal((await deliver(receiver, delivery)).responseCode, "2007600");
  clock.advance(1);
  assert.equal(codeAndMessage(await deliver(receiver, delivery)), "4017601 Invalid Token (B2B)");
});

test("no token, a token of others, an altered token; a wrong or altered signature", async () => {
  const { receiver, handled, rejected } = mode1();
  const accessToken = await obtainToken();
  const foreign = await obtainToken({ tokenSecrets: ["another secret of more than 32 bytes"] });
  const [expiry = "", mac = ""] = accessToken.split(".");
  const longer = `${Number(expiry) + 1}.${mac}`;
  for (const [delivery, expected] of [
    [sign(rtgs), "4017603 Token Not Found (B2B)"],
    [sign(rtgs, { accessToken: foreign }), "4017601 Invalid Token (B2B)"],
    [sign(rtgs, { accessToken: longer }), "4017601 Invalid Token (B2B)"],
    [sign(rtgs, { accessToken: `${accessToken}x` }), "4017601 Invalid Token (B2B)"],
    [sign(rtgs, { accessToken, secret: "guessed" }), "4017600 Unauthorized. [Signature]"],
    [{ ...sign(rtgs, { accessToken }), body: "{}" }, "4017600 Unauthorized. [Signature]"],
  ] as const) {
    assert.equal(codeAndMessage(await deliver(receiver, delivery)), expected);
  }
  assert.deepEqual(handled, []);
  const shown = JSON.stringify(rejected);
  for (const secret of [accessToken, clientSecret, tokenSecret]) assert.ok(!shown.includes(secret));
});

test("a notification signed with the RSA key is not accepted in mode 1, nor one by HMAC in mode 2", async () => {
  const accessToken = await obtainToken();
  const rsa = sign(rtgs);
  const withToken = { ...rsa, headers: { ...rsa.headers, authorization: `Bearer ${accessToken}` } };
  assert.equal((await deliver(mode1().receiver, withToken)).responseCode, "4017600");
  assert.equal((await deliver(testReceiver().receiver, sign(rtgs, { accessToken }))).responseCode, "4017600");
});

test("secrets are replaced without a gap: two of each verify", async () => {
  const accessToken = await obtainToken();
  const next = "the next token secret, 32 bytes or more";
  const both = mode1(["next secret", clientSecret], [next, tokenSecret]);
  assert.equal((await deliver(both.receiver, sign(rtgs, { accessToken }))).responseCode, "2007600");
  const newToken = await obtainToken({ tokenSecrets: [next, tokenSecret] });
  const delivery = sign(rtgs, { accessToken: newToken, secret: "next secret", externalId: "2" });
  assert.equal((await deliver(both.receiver, delivery)).responseCode, "2007600");
  const after = mode1(["next secret"], [next]);
  assert.equal((await deliver(after.receiver, sign(rtgs, { accessToken }))).responseCode, "4017601");
});

test("only the provider obtains a token", async () => {
  const minutes = (count: number) => formatTimestamp(startTime + count * 60_000);
  for (const [call, expected] of [
    [tokenCall({ key: otherPrivateKey }), "4017300 Unauthorized. [Signature]"],
    [tokenCall({ clientKey: "somebody" }), "4017300 Unauthorized. [Unknown client]"],
    [tokenCall({ timestamp: minutes(-6) }), "4017300 Unauthorized. [Timestamp]"],
    [tokenCall({ timestamp: minutes(6) }), "4017300 Unauthorized. [Timestamp]"],
    [tokenCall({ body: "{}" }), "4007302 Invalid Mandatory Field grantType"],
    [tokenCall({ body: '{"grantType":"password"}' }), "4007301 Invalid Field Format grantType"],
    [tokenCall({ body: "grant" }), "4007300 Bad Request [Not JSON]"],
    [tokenCall({ body: "x".repeat(70_000) }), "4007300 Bad Request [Body too large]"],
    [{ ...tokenCall(), path: "/access-token/b2b2c" }, "4040000 Unknown Path"],
  ] as const) {
    assert.equal(codeAndMessage(await deliver(tokenEndpoint(), call)), expected);
  }
  const rotating = tokenEndpoint({ providerPublicKeys: [publicKey, otherPublicKey] });
  assert.equal((await deliver(rotating, tokenCall({ key: otherPrivateKey }))).responseCode, "2007300");
});
