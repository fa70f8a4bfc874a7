// Holds, captures, voids and refunds: lost responses, rejections, queries (decisions D7, D8, D10).
import assert from "node:assert/strict";
import { test } from "node:test";
import { type CaseName, type OperationRow, operationRows, operations } from "@titian/contract";
import { type Client, createClient, isOutcomeUnknown, isSnapError, type WriteName } from "../src/index.ts";
import { chargeStay } from "./readme/charge-stay.ts";
import { symmetric } from "./helpers/credentials.ts";
import { json, recordingFetch } from "./helpers/recording-fetch.ts";
import { rejection } from "./helpers/rejection.ts";
import { rejected } from "./helpers/transfer.ts";

const { authPayment, authCapture, authVoid, authRefund, authPaymentQuery, authCaptureQuery } = operations;

/** Each write of an authorized payment, its number field, and a status that its repeat may have. */
const writes = [
  { row: authPayment, no: "referenceNo", status: "01" },
  { row: authPayment, no: "referenceNo", status: "05" },
  { row: authCapture, no: "captureNo", status: "00" },
  { row: authVoid, no: "voidNo", status: "00" },
  { row: authRefund, no: "refundNo", status: "00" },
] as const;

const send = (client: Client, { name, example }: (typeof writes)[number]["row"]) => {
  const attempt = client.prepare<WriteName>(name, example.request);
  return { attempt, result: client.send(attempt) };
};

for (const { row, no, status } of writes) {
  test(`${row.code} ${row.name}: after a lost response it is not final, and its repeat has the number and status ${status}`, async () => {
    const additionalInfo = { originalResponse: row.example.response, latestTransactionStatus: status };
    const { fetch, calls } = recordingFetch((_sent, call) => {
      if (call === 1) throw new TypeError("fetch failed");
      return rejected("conflict", { fields: { additionalInfo } }, row.code);
    });
    const client = createClient({ ...symmetric, fetch });
    const { attempt, result } = send(client, row);
    const unknown = await rejection(result);
    assert.ok(isOutcomeUnknown(unknown, row.name));
    assert.equal(unknown.isFinal, false);
    assert.deepEqual(unknown.attempt, attempt);

    const error = await rejection(client.repeat(unknown));
    assert.ok(isSnapError(error, row.name));
    assert.equal(error.caseName, "conflict");
    assert.equal(error.isFinal, true);
    assert.equal(error.latestTransactionStatus, status);
    const original: Readonly<Record<string, unknown>> = error.originalResponse ?? {};
    assert.equal(original[no], (row.example.response as Readonly<Record<string, unknown>>)[no]);
    assert.equal(calls.length, 2);
    assert.deepEqual(calls[1]?.bytes, calls[0]?.bytes);
    assert.equal(calls[1]?.headers["X-EXTERNAL-ID"], calls[0]?.headers["X-EXTERNAL-ID"]);
  });
}

/** Rejections of writes, and whether they are final for a first send and for a repeat. */
const verdicts: readonly (readonly [OperationRow & { readonly name: WriteName }, CaseName, boolean, boolean])[] = [
  [authPayment, "invalidMerchant", true, true],
  [authPayment, "insufficientFunds", true, true],
  [authPayment, "customerTokenNotFound", true, false],
  [authCapture, "invalidTransactionStatus", true, true],
  [authCapture, "exceedsTransactionAmountLimit", true, true],
  [authVoid, "invalidAmount", true, true],
  [authVoid, "invalidMandatoryField", true, false],
  [authRefund, "transactionNotFound", true, true],
  [authRefund, "inconsistentRequest", true, true],
  [authRefund, "generalError", false, false],
];

for (const [row, caseName, first, repeated] of verdicts) {
  test(`${row.code} ${row.name} rejected with ${caseName}: final at first ${first}, on a repeat ${repeated}`, async () => {
    const { fetch } = recordingFetch(() => rejected(caseName, {}, row.code));
    const client = createClient({ ...symmetric, fetch });
    const attempt = client.prepare<WriteName>(row.name, row.example.request);
    for (const [result, isFinal] of [
      [client.send(attempt), first],
      [client.repeat(attempt), repeated],
    ] as const) {
      const error = await rejection(result);
      assert.ok(isSnapError(error, row.name));
      assert.equal(error.caseName, caseName);
      assert.equal(error.isFinal, isFinal);
    }
  });
}

test("a rejected capture has an amount and no number; a rejected refund has both", async () => {
  const amounts = { captureAmount: { value: "900000.00", currency: "IDR" } };
  const refund = { refundNo: "01JD7K7Q2R3S4T5V6W7X8Y9Z0A", refundTime: "2026-11-25T14:00:00+07:00" };
  const { fetch } = recordingFetch(({ path }) =>
    path.endsWith("/auth/capture")
      ? rejected("exceedsTransactionAmountLimit", { fields: amounts }, "65")
      : rejected("exceedsTransactionAmountLimit", { fields: refund }, "69"),
  );
  const client = createClient({ ...symmetric, fetch });

  const capture = await rejection(client.authCapture(authCapture.example.request));
  assert.ok(isSnapError(capture, "authCapture"));
  assert.deepEqual(capture.response.captureAmount, amounts.captureAmount);
  assert.equal(capture.response.captureNo, undefined);

  const refundError = await rejection(client.authRefund(authRefund.example.request));
  assert.ok(isSnapError(refundError, "authRefund"));
  assert.equal(refundError.response.refundNo, refund.refundNo);
  assert.equal(refundError.response.refundTime, refund.refundTime);
});

test("queries return the status of a hold and of a rejected capture", async () => {
  const sums = { captured: "0.00", voided: "0.00", expired: "150000.00", refunded: "0.00", remaining: "0.00" };
  const expired = { ...authPaymentQuery.example.response, latestTransactionStatus: "05", additionalInfo: sums };
  const { captureNo: _no, captureTime: _time, ...known } = authCaptureQuery.example.response;
  const failed = { ...known, latestCaptureStatus: "FAILED" };
  const { fetch } = recordingFetch(({ path }) => json(200, path.endsWith("/auth/query") ? expired : failed));
  const client = createClient({ ...symmetric, fetch });

  const payment = await client.authPaymentQuery(authPaymentQuery.example.request);
  assert.equal(payment.latestTransactionStatus, "05");
  assert.deepEqual(payment.additionalInfo, sums);
  const capture = await client.authCaptureQuery(authCaptureQuery.example.request);
  assert.equal(capture.latestCaptureStatus, "FAILED");
  assert.equal(capture.captureNo, undefined);
});

test("a query that finds nothing has status 07 and is final", async () => {
  const { fetch } = recordingFetch(() =>
    rejected("transactionNotFound", { fields: { latestTransactionStatus: "07" } }, authPaymentQuery.code),
  );
  const error = await rejection(
    createClient({ ...symmetric, fetch }).authPaymentQuery({ originalPartnerReferenceNo: "ORDER-1" }),
  );
  assert.ok(isSnapError(error, "authPaymentQuery"));
  assert.equal(error.response.latestTransactionStatus, "07");
  assert.equal(error.isFinal, true);
  assert.equal(error.attempt, undefined);
});

test("a stay is held, charged, refunded in part and asked for", async () => {
  const { fetch, calls } = recordingFetch(({ path }) =>
    json(200, operationRows.find((row) => path === `/v1.0/${row.path}`)?.example.response),
  );
  const { latestTransactionStatus } = await chargeStay(createClient({ ...symmetric, fetch }), "M-0001", "ORDER-1");
  assert.equal(latestTransactionStatus, authPaymentQuery.example.response.latestTransactionStatus);
  assert.deepEqual(
    calls.map(({ path, body }) => [path, JSON.parse(body).originalReferenceNo]),
    [
      ["/v1.0/auth/payment", undefined],
      ["/v1.0/auth/capture", authPayment.example.response.referenceNo],
      ["/v1.0/auth/refund", undefined],
      ["/v1.0/auth/query", authPayment.example.response.referenceNo],
    ],
  );
});
