import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "../operations.ts";
import { readResponse } from "./read-response.ts";

const row = operations.authPayment;
const success = row.example.response;

test("a success must hold every mandatory field", () => {
  assert.deepEqual(readResponse(row, success), { ok: true, success: true, value: success });
  const result = readResponse(row, { ...success, paidTime: undefined });
  assert.ok(!result.ok && result.case === "invalidMandatoryField" && result.field === "paidTime");
});

test("a success must hold our number and what only a success has, and anything else may be without", () => {
  for (const [name, one] of [
    ["referenceNo", operations.authPayment],
    ["captureTime", operations.authCapture],
    ["referenceNo", operations.intrabankTransfer],
    ["bulkId", operations.interbankBulkTransfer],
  ] as const) {
    const { [name]: _, ...rest }: Readonly<Record<string, unknown>> = one.example.response;
    const result = readResponse(one, rest);
    assert.ok(!result.ok && result.case === "invalidMandatoryField" && result.field === name, one.name);
    assert.ok(readResponse(one, { ...rest, responseCode: `202${one.code}00` }).ok);
  }
});

test("members that the row names are read, others kept, and malformed ones left out", () => {
  const inquiry = operations.statusInquiryBank;
  const read = (additionalInfo: unknown) => {
    const result = readResponse(inquiry, { ...inquiry.example.response, additionalInfo });
    assert.ok(result.ok && result.success);
    return result.value.additionalInfo;
  };
  const rejection = { responseCode: "4031805", responseMessage: "Do Not Honor" };
  const whole = { fee: "2500.00", rejection, ofOurs: [1] };
  assert.deepEqual(read(whole), whole);
  assert.deepEqual(read({ fee: 2_500, itemCount: "3", rejection: { responseCode: "4031805" } }), { itemCount: "3" });
  assert.deepEqual(["text", [1], null].map(read), [undefined, undefined, undefined]);
});

test("any other response needs the envelope only", () => {
  for (const responseCode of ["2026300", "4016300", "4090000", "5006300"]) {
    const value = { responseCode, responseMessage: "x" };
    assert.deepEqual(readResponse(row, value), { ok: true, success: false, value });
  }
  const result = readResponse(row, { responseCode: "4016300" });
  assert.ok(!result.ok && result.case === "invalidMandatoryField" && result.field === "responseMessage");
});

test("the other fields of any other response must be well formed", () => {
  const rejected = { ...success, responseCode: "4036314", amount: { value: "1.00" } };
  const result = readResponse(row, rejected);
  assert.ok(!result.ok && result.field === "amount.currency");
});

test("anything but an object with a response code is rejected", () => {
  assert.deepEqual(readResponse(row, "x"), { ok: false, case: "badRequest", valid: {} });
  const result = readResponse(row, {});
  assert.ok(!result.ok && result.field === "responseCode");
  const malformed = readResponse(row, { responseCode: "200", responseMessage: "x" });
  assert.ok(!malformed.ok && malformed.case === "invalidFieldFormat" && malformed.field === "responseCode");
});

test("a mandatory text may be empty: the status of a bulk has no one beneficiary", () => {
  const inquiry = { ...operations.statusInquiryBank.example.response, beneficiaryAccountNo: "", transactionId: "" };
  const result = readResponse(operations.statusInquiryBank, inquiry);
  assert.ok(result.ok && result.success);
  assert.equal(result.value.beneficiaryAccountNo, "");
  assert.equal("transactionId" in result.value, false);
});
