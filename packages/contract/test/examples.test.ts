// Goal: what the documentation shows is what the readers accept.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Money,
  operationRows,
  operations,
  parseTimestamp,
  readJson,
  readRequest,
  readResponse,
} from "@titian/contract";

for (const row of operationRows) {
  test(`the example of ${row.code} ${row.name} is read unchanged`, () => {
    const bytes = Buffer.from(JSON.stringify(row.example.request));
    const json = readJson(bytes, row);
    assert.ok(json.ok);
    assert.deepEqual(readRequest(row, json.value), { ok: true, value: row.example.request });
    const response = readResponse(row, JSON.parse(JSON.stringify(row.example.response)));
    assert.deepEqual(response, { ok: true, success: true, value: row.example.response });
  });
}

test("the examples of authorized payments (63 to 69) are about one payment: the same numbers, amounts that add up, one time after the other", () => {
  const { authPayment, authPaymentQuery, authCapture, authCaptureQuery, authVoid, authVoidQuery, authRefund } =
    operations;
  const hold = authPayment.example.response;
  for (const { name, example } of [
    authPaymentQuery,
    authCapture,
    authCaptureQuery,
    authVoid,
    authVoidQuery,
    authRefund,
  ]) {
    const { originalReferenceNo, originalPartnerReferenceNo } = example.response;
    const actual = { originalReferenceNo, originalPartnerReferenceNo };
    const { referenceNo, partnerReferenceNo } = hold;
    assert.deepEqual(
      actual,
      { originalReferenceNo: referenceNo, originalPartnerReferenceNo: partnerReferenceNo },
      name,
    );
  }
  const [capture, captured] = [authCapture.example.response, authCaptureQuery.example.response];
  const [release, released] = [authVoid.example.response, authVoidQuery.example.response];
  assert.deepEqual(
    [captured.captureNo, captured.captureTime, captured.captureAmount],
    [capture.captureNo, capture.captureTime, capture.captureAmount],
  );
  assert.deepEqual(
    [released.voidNo, released.voidTime, released.voidAmount],
    [release.voidNo, release.voidTime, release.voidAmount],
  );

  const value = (amount: Money | undefined) => Number(amount?.value);
  const sums = authPaymentQuery.example.response.additionalInfo;
  const expectedSums = { captured: capture.captureAmount.value, remaining: release.voidAmount.value };
  assert.partialDeepStrictEqual(sums, expectedSums);
  assert.equal(value(capture.captureAmount) + value(release.voidAmount), value(hold.amount));
  assert.ok(value(authRefund.example.response.refundAmount) < value(capture.captureAmount));
  const { refundTime } = authRefund.example.response;
  const times = [hold.paidTime, capture.captureTime, release.voidTime, refundTime].map((time) =>
    parseTimestamp(time ?? ""),
  );
  assert.deepEqual(
    times,
    times.toSorted((a = 0, b = 0) => a - b),
  );
});

test("the examples of transfers have numbers of their own, and their status and notifications repeat them", () => {
  const { intrabankTransfer, interbankTransfer, requestForPayment, rtgsTransfer, sknTransfer } = operations;
  const numbers = [intrabankTransfer, interbankTransfer, requestForPayment, rtgsTransfer, sknTransfer].map(
    ({ example }) => example.response.referenceNo,
  );
  assert.equal(new Set(numbers).size, numbers.length);

  const reports = [
    [interbankTransfer, operations.statusInquiryBank.example.response],
    [sknTransfer, operations.statusInquiryNonBank.example.response],
    [rtgsTransfer, operations.rtgsNotification.example.request],
    [sknTransfer, operations.sknNotification.example.request],
  ] as const;
  for (const [{ code, example }, about] of reports) {
    const { request, response } = example;
    assert.deepEqual(
      [about.originalPartnerReferenceNo, about.originalReferenceNo, about.amount, about.transactionDate],
      [request.partnerReferenceNo, response.referenceNo, request.amount, request.transactionDate],
    );
    const { beneficiaryAccountNo, beneficiaryBankCode, sourceAccountNo } = request;
    assert.deepEqual(
      [about.beneficiaryAccountNo, about.beneficiaryBankCode, about.sourceAccountNo],
      [beneficiaryAccountNo, beneficiaryBankCode, sourceAccountNo],
    );
    if ("referenceNumber" in about) {
      assert.deepEqual([about.referenceNumber, about.serviceCode], [response.referenceNo, code]);
    }
  }

  const { beneficiaryAccountName, beneficiaryBankName } = operations.externalAccountInquiry.example.response;
  const named = interbankTransfer.example.request;
  assert.deepEqual(
    [named.beneficiaryAccountName, named.beneficiaryBankName],
    [beneficiaryAccountName, beneficiaryBankName],
  );
});
