// Repeats of a caller after silence: the same X-EXTERNAL-ID, the same bytes, a new time and signature (spec D7).
import assert from "node:assert/strict";
import { test } from "node:test";
import { hashBody, operations, stringToSign, verifyHmac } from "@titian/contract";
import { type Attempt, createClient, isOutcomeUnknown, isSnapError } from "../src/index.ts";
import { clientSecret, symmetric } from "./helpers/credentials.ts";
import { movableClock } from "./helpers/movable-clock.ts";
import { recordingFetch, type Sent } from "./helpers/recording-fetch.ts";
import { rejection } from "./helpers/rejection.ts";
import { accepted, rejected, transfer } from "./helpers/transfer.ts";

const silence = (): never => {
  throw new TypeError("fetch failed", { cause: new Error("read ECONNRESET") });
};

/** Silence for the first `count` calls, then what the test says. */
const silentFor = (count: number, then: () => Response) =>
  recordingFetch((_sent, call) => (call <= count ? silence() : then()));

function assertSigned({ path, headers, bytes }: Sent): void {
  const timestamp = headers["X-TIMESTAMP"] ?? "";
  const accessToken = headers.Authorization?.slice("Bearer ".length);
  const text = stringToSign.transaction({ method: "POST", path, accessToken, bodyHash: hashBody(bytes), timestamp });
  assert.ok(verifyHmac(clientSecret, text, headers["X-SIGNATURE"] ?? ""));
}

test("a write is never sent again by itself, and repeating it keeps id and bytes under a new signature", async () => {
  const { fetch, calls } = silentFor(1, accepted);
  const client = createClient({ ...symmetric, fetch, clock: movableClock() });

  const error = await rejection(client.intrabankTransfer(transfer));
  assert.equal(calls.length, 1);
  assert.ok(isOutcomeUnknown(error, "intrabankTransfer"));
  assert.equal(error.isFinal, false);
  assert.equal(error.cause.code, "ERR_NO_RESPONSE");
  assert.match(error.message, /read ECONNRESET/);
  assert.deepEqual(error.attempt, {
    operation: "intrabankTransfer",
    externalId: error.externalId,
    body: JSON.stringify(transfer),
  });

  const response = await client.repeat(error);
  assert.equal(response.case, "success");
  assert.equal(response.externalId, error.externalId);
  const [first, second] = calls;
  assert.ok(first !== undefined && second !== undefined);
  assert.equal(second.headers["X-EXTERNAL-ID"], first.headers["X-EXTERNAL-ID"]);
  assert.deepEqual(second.bytes, first.bytes);
  assert.notEqual(second.headers["X-TIMESTAMP"], first.headers["X-TIMESTAMP"], "although the clock stands still");
  assert.notEqual(second.headers["X-SIGNATURE"], first.headers["X-SIGNATURE"]);
  assertSigned(first);
  assertSigned(second);
});

test("the response to a repeat of an accepted call has the outcome", async () => {
  const first = operations.intrabankTransfer.example.response;
  const fields = { additionalInfo: { originalResponse: first, latestTransactionStatus: "00" } };
  const { fetch } = silentFor(1, () => rejected("conflict", { fields }));
  const client = createClient({ ...symmetric, fetch });
  const unknown = await rejection(client.intrabankTransfer(transfer));
  assert.ok(isOutcomeUnknown(unknown));

  const error = await rejection(client.repeat(unknown));
  assert.ok(isSnapError(error, "intrabankTransfer"));
  assert.equal(error.caseName, "conflict");
  assert.equal(error.isFinal, true);
  assert.equal(error.latestTransactionStatus, "00");
  assert.equal(error.originalResponse?.referenceNo, first.referenceNo);
  assert.equal(error.originalResponse?.responseCode, "2001700");
});

test("an id that belongs to something else carries no first response", async () => {
  const { fetch } = recordingFetch(() => rejected("conflict"));
  const error = await rejection(createClient({ ...symmetric, fetch }).intrabankTransfer(transfer));
  assert.ok(isSnapError(error));
  assert.equal(error.originalResponse, undefined);
  assert.equal(error.latestTransactionStatus, undefined);
});

test("what other providers put into additionalInfo does not make a rejection unreadable", async () => {
  for (const additionalInfo of [
    { originalResponse: "2001700", latestTransactionStatus: "99" },
    { originalResponse: { responseCode: "twenty" }, latestTransactionStatus: 0 },
  ]) {
    const { fetch } = recordingFetch(() => rejected("conflict", { fields: { additionalInfo } }));
    const error = await rejection(createClient({ ...symmetric, fetch }).intrabankTransfer(transfer));
    assert.ok(isSnapError(error));
    assert.equal(error.originalResponse, undefined);
    assert.equal(error.latestTransactionStatus, undefined);
    assert.deepEqual(error.response.additionalInfo, additionalInfo);
  }
});

test("a rejection before processing is final for a first send and not for a repeat", async () => {
  const { fetch } = recordingFetch((_sent, call) => (call === 2 ? silence() : rejected("tooManyRequests")));
  const client = createClient({ ...symmetric, fetch });

  const first = await rejection(client.intrabankTransfer(transfer));
  assert.ok(isSnapError(first, "intrabankTransfer"));
  assert.equal(first.isFinal, true);

  const unknown = await rejection(client.repeat({ attempt: first.attempt, isFinal: true }));
  assert.ok(isOutcomeUnknown(unknown));
  const second = await rejection(client.repeat(unknown));
  assert.ok(isSnapError(second));
  assert.equal(second.isFinal, false);
  assert.match(second.message, /client\.repeat/);
});

test("an attempt survives the caller: prepared, stored, and repeated by another client", async () => {
  const { fetch, calls } = recordingFetch((_sent, call) => (call === 1 ? silence() : rejected("unauthorized")));
  const attempt = createClient({ ...symmetric, fetch }).prepare("intrabankTransfer", transfer);
  assert.equal(calls.length, 0);
  const stored: Attempt<"intrabankTransfer"> = JSON.parse(JSON.stringify(attempt));

  const sent = await rejection(createClient({ ...symmetric, fetch }).send(stored));
  assert.ok(isOutcomeUnknown(sent));
  const repeated = await rejection(createClient({ ...symmetric, fetch }).repeat(stored));
  assert.ok(isSnapError(repeated));
  assert.equal(repeated.isFinal, false, "a stored attempt may have been sent");
  assert.deepEqual(
    calls.map((call) => [call.headers["X-EXTERNAL-ID"], call.body]),
    [
      [attempt.externalId, attempt.body],
      [attempt.externalId, attempt.body],
    ],
  );
});

test("a first send of a prepared attempt is a first send, also under an id of one's own", async () => {
  const { fetch } = recordingFetch(() => rejected("invalidFieldFormat", { field: "amount.value" }));
  const client = createClient({ ...symmetric, fetch });
  const attempt = client.prepare("intrabankTransfer", transfer, { externalId: "ORDER-1" });
  const prepared = await rejection(client.send(attempt));
  assert.ok(isSnapError(prepared));
  assert.equal(prepared.externalId, "ORDER-1");
  assert.equal(prepared.isFinal, true);
});

test("an id given to a method may have been sent before", async () => {
  const { fetch, calls } = recordingFetch(() => rejected("unauthorized", { reason: "Signature" }));
  const client = createClient({ ...symmetric, fetch });
  const error = await rejection(client.intrabankTransfer(transfer, { externalId: "ORDER-1" }));
  assert.ok(isSnapError(error));
  assert.equal(error.isFinal, false);
  assert.equal(calls[0]?.headers["X-EXTERNAL-ID"], "ORDER-1");
});

test("the body is written once: later changes to the request reach neither wire nor attempt", async () => {
  const request = { ...transfer, amount: { value: "10000.00", currency: "IDR" } };
  const { fetch, calls } = silentFor(1, accepted);
  const client = createClient({ ...symmetric, fetch });
  const pending = rejection(client.intrabankTransfer(request));
  request.amount.value = "99999.00";
  const error = await pending;
  assert.ok(isOutcomeUnknown(error));
  await client.repeat(error);
  for (const { body } of calls) assert.equal(JSON.parse(body).amount.value, "10000.00");
});

test("a value that is no attempt is a caller's mistake, found before anything is sent", async () => {
  const { fetch, calls } = recordingFetch(accepted);
  const client = createClient({ ...symmetric, fetch });
  const body = JSON.stringify(transfer);
  for (const attempt of [
    { operation: "statusInquiryBank", externalId: "1", body },
    { operation: "toString", externalId: "1", body },
    { operation: "intrabankTransfer", externalId: "a b", body },
    { operation: "intrabankTransfer", externalId: "1", body: transfer },
  ]) {
    const stored: Attempt = JSON.parse(JSON.stringify(attempt));
    assert.ok((await rejection(client.repeat(stored))) instanceof TypeError);
  }
  assert.equal(calls.length, 0);
});
