// A token the provider no longer takes (401xx01) is the one rejection after which the client sends by itself again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient, isSnapError, NotSentError } from "../src/index.ts";
import { asymmetric, symmetric } from "./helpers/credentials.ts";
import { json, newToken, recordingFetch } from "./helpers/recording-fetch.ts";
import { rejection } from "./helpers/rejection.ts";
import { accepted, rejected, transfer } from "./helpers/transfer.ts";

const expired = () => rejected("invalidToken");

test("the token is renewed and the same call sent once more", async () => {
  const { fetch, calls, tokenCalls } = recordingFetch((_sent, call) => (call === 1 ? expired() : accepted()));
  const client = createClient({ ...symmetric, fetch });
  const response = await client.intrabankTransfer(transfer);
  assert.equal(response.case, "success");
  assert.equal(tokenCalls.length, 2);
  assert.deepEqual(
    calls.map(({ headers, body }) => [headers.Authorization, headers["X-EXTERNAL-ID"], body]),
    [
      ["Bearer token-1", response.externalId, JSON.stringify(transfer)],
      ["Bearer token-2", response.externalId, JSON.stringify(transfer)],
    ],
  );
});

test("a new token that is rejected too is the caller's error", async () => {
  const { fetch, calls } = recordingFetch(expired);
  const error = await rejection(createClient({ ...symmetric, fetch }).intrabankTransfer(transfer));
  assert.ok(isSnapError(error));
  assert.equal(error.caseName, "invalidToken");
  assert.equal(error.isFinal, true, "neither send was processed");
  assert.equal(calls.length, 2);
});

test("many calls rejected for one token renew it once", async () => {
  const { fetch, calls, tokenCalls } = recordingFetch(({ headers }) =>
    headers.Authorization === "Bearer token-1" ? expired() : accepted(),
  );
  const client = createClient({ ...symmetric, fetch });
  await Promise.all(Array.from({ length: 20 }, () => client.intrabankTransfer(transfer)));
  assert.equal(tokenCalls.length, 2);
  assert.equal(calls.length, 40);
});

for (const caseName of ["tokenNotFound", "unauthorized", "invalidCustomerToken"] as const) {
  test(`${caseName} is not sent again`, async () => {
    const { fetch, calls } = recordingFetch(() => rejected(caseName));
    assert.ok(isSnapError(await rejection(createClient({ ...symmetric, fetch }).intrabankTransfer(transfer))));
    assert.equal(calls.length, 1);
  });
}

test("without a token there is nothing to renew", async () => {
  const { fetch, calls, tokenCalls } = recordingFetch(expired);
  assert.ok(isSnapError(await rejection(createClient({ ...asymmetric, fetch }).intrabankTransfer(transfer))));
  assert.equal(calls.length, 1);
  assert.equal(tokenCalls.length, 0);
});

test("a call for which no token can be had is not sent", async () => {
  const { fetch, calls } = recordingFetch(accepted, () => rejected("unauthorized", { reason: "Signature" }, "73"));
  const client = createClient({ ...symmetric, fetch });
  const error = await rejection(client.intrabankTransfer(transfer));
  assert.ok(error instanceof NotSentError);
  assert.equal(error.reason, "token");
  assert.equal(error.isFinal, true);
  assert.ok(isSnapError(error.cause, "accessTokenB2b"));
  assert.match(error.message, /Unauthorized\. \[Signature\] \(4017300\)/);
  assert.equal(calls.length, 0);

  const repeated = await rejection(client.repeat(client.prepare("intrabankTransfer", transfer)));
  assert.ok(repeated instanceof NotSentError);
  assert.equal(repeated.isFinal, false, "an earlier send may have taken effect");
});

test("a token that cannot be used is a fault of the token call", async () => {
  for (const fields of [
    { accessToken: "two words", tokenType: "Bearer", expiresIn: "900" },
    { accessToken: "t", tokenType: "Bearer", expiresIn: "soon" },
    { accessToken: "t", tokenType: "Bearer", expiresIn: "0" },
    { accessToken: "t", tokenType: "Bearer", expiresIn: 900 },
    { tokenType: "Bearer", expiresIn: "900" },
  ]) {
    const bad = () => json(200, { responseCode: "2007300", responseMessage: "Successful", ...fields });
    const error = await rejection(
      createClient({ ...symmetric, ...recordingFetch(accepted, bad) }).intrabankTransfer(transfer),
    );
    assert.ok(error instanceof NotSentError);
    assert.equal(error.cause?.code, "ERR_PROTOCOL");
  }
});

test("a token is asked for again after a failure", async () => {
  const { fetch } = recordingFetch(accepted, (sent, call) =>
    call === 1 ? rejected("generalError", {}, "73") : newToken(sent, call),
  );
  const client = createClient({ ...symmetric, fetch });
  assert.ok((await rejection(client.intrabankTransfer(transfer))) instanceof NotSentError);
  assert.equal((await client.intrabankTransfer(transfer)).case, "success");
});
