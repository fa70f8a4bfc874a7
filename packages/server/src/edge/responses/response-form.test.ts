import assert from "node:assert/strict";
import { test } from "node:test";
import { operations, type OperationRow } from "@titian/contract";
import type { Reply } from "../../interfaces/call.ts";
import { createResponseForm } from "./response-form.ts";

const additionalInfo = Buffer.from('{ "n": 1.0 }');
const nothingFree = new Map<string, Buffer>();

function bodyOf(operation: OperationRow, reply: Reply, request: Record<string, unknown> = {}, freeForm = nothingFree) {
  return createResponseForm(operation).write(reply, { request, freeForm }).body;
}

test("code and message come first, then the fields of the row in its order, echoed or given", () => {
  const request = {
    sourceAccountNo: "1",
    beneficiaryAccountNo: "2",
    partnerReferenceNo: 'P "1"',
    amount: { value: "10000", currency: "IDR" },
    remark: "not listed in the answer",
    originatorInfos: [{ originatorCustomerNo: "7" }],
    additionalInfo: {},
  };
  const reply: Reply = { case: "success", fields: { referenceNo: "R1", beneficiaryAccountNo: "given" } };
  assert.equal(
    bodyOf(operations.intrabankTransfer, reply, request, new Map([["additionalInfo", additionalInfo]])),
    '{"responseCode":"2001700","responseMessage":"Successful","referenceNo":"R1","partnerReferenceNo":"P \\"1\\"",' +
      '"amount":{"value":"10000.00","currency":"IDR"},"beneficiaryAccountNo":"given","sourceAccountNo":"1",' +
      '"originatorInfos":[{"originatorCustomerNo":"7"}],"additionalInfo":{ "n": 1.0 }}',
  );
});

test("the message names the field or the reason", () => {
  assert.equal(
    bodyOf(operations.intrabankTransfer, { case: "invalidFieldFormat", field: "amount.value" }),
    '{"responseCode":"4001701","responseMessage":"Invalid Field Format amount.value"}',
  );
  assert.equal(
    bodyOf(operations.statusInquiryBank, { case: "unauthorized", reason: "Signature", echo: false }, { amount: 1 }),
    '{"responseCode":"4013600","responseMessage":"Unauthorized. [Signature]"}',
  );
});

test("amounts are echoed with two decimals where the currency has any", () => {
  const cases = [
    ["1", "IDR", "1.00"],
    ["1.5", "IDR", "1.50"],
    ["1.50", "IDR", "1.50"],
    ["1", "JPY", "1"],
  ] as const;
  for (const [value, currency, expected] of cases) {
    const body = bodyOf(operations.intrabankTransfer, { case: "insufficientFunds" }, { amount: { value, currency } });
    assert.deepEqual(JSON.parse(body).amount, { value: expected, currency });
  }
});

test("a failed answer echoes too, but never holds what is given on success only", () => {
  const request = { captureNo: "C1", partnerCaptureNo: "PC1", originalReferenceNo: "R1" };
  const reply: Reply = { case: "transactionNotFound", fields: { captureTime: "2026-11-21T10:00:00+07:00" } };
  assert.deepEqual(JSON.parse(bodyOf(operations.authCaptureQuery, reply, request)), {
    responseCode: "4046601",
    responseMessage: "Transaction Not Found",
    partnerCaptureNo: "PC1",
    originalReferenceNo: "R1",
  });
  const found = JSON.parse(bodyOf(operations.authCaptureQuery, { case: "success" }, request));
  assert.equal(found.captureNo, "C1");
});

test("a refund's two conditional fields are never echoed", () => {
  const request = { originalCaptureNo: "C1", originalReferenceNo: "R1", partnerRefundNo: "PR1" };
  const answer = JSON.parse(bodyOf(operations.authRefund, { case: "success" }, request));
  assert.deepEqual(Object.keys(answer), ["responseCode", "responseMessage", "partnerRefundNo"]);
});

test("the answer to a repeat does not echo additionalInfo; it says there what the first call got", () => {
  const freeForm = new Map([["additionalInfo", additionalInfo]]);
  for (const name of ["conflict", "duplicatePartnerReferenceNo", "inconsistentRequest"] as const) {
    const request = { additionalInfo: {} };
    assert.doesNotMatch(bodyOf(operations.intrabankTransfer, { case: name }, request, freeForm), /additionalInfo/);
    const reply: Reply = { case: name, fields: { additionalInfo: { latestTransactionStatus: "00" } } };
    const answer = JSON.parse(bodyOf(operations.intrabankTransfer, reply, request, freeForm));
    assert.deepEqual(answer.additionalInfo, { latestTransactionStatus: "00" });
  }
});

test("answers are counted by case", () => {
  const form = createResponseForm(operations.intrabankTransfer);
  form.write({ case: "success" });
  form.write({ case: "success" });
  form.write({ case: "conflict" });
  assert.deepEqual(
    [...form.counts],
    [
      ["success", 2],
      ["conflict", 1],
    ],
  );
});
