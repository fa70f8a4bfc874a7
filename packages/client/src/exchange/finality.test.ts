import assert from "node:assert/strict";
import { test } from "node:test";
import { type CaseName, type OperationRow, operationRows, operations, responseCases } from "@titian/contract";
import { isFinalAfter } from "./finality.ts";

const { intrabankTransfer, statusInquiryBank } = operations;

const rejectionCode = (row: OperationRow, caseName: CaseName) => ({
  httpStatus: responseCases[caseName].status,
  serviceCode: row.code,
  caseName,
});

/** Case, final on a first send, final on a repeat. */
const table: readonly (readonly [CaseName, boolean, boolean])[] = [
  // Steps 1 to 12: before processing.
  ["notSupported", true, false],
  ["badRequest", true, false],
  ["invalidMandatoryField", true, false],
  ["invalidFieldFormat", true, false],
  ["unauthorized", true, false],
  ["invalidToken", true, false],
  ["invalidCustomerToken", true, false],
  ["tokenNotFound", true, false],
  ["customerTokenNotFound", true, false],
  ["featureNotAllowed", true, false],
  ["tooManyRequests", true, false],
  // Step 13: repeats.
  ["conflict", true, true],
  ["duplicatePartnerReferenceNo", true, true],
  ["inconsistentRequest", true, true],
  // Step 14: business.
  ["insufficientFunds", true, true],
  ["invalidAccount", true, true],
  ["featureNotAllowedAtThisTime", true, true],
  ["transactionNotFound", true, true],
  // Errors: the outcome is unknown.
  ["generalError", false, false],
  ["internalServerError", false, false],
  ["externalServerError", false, false],
  ["serviceUnavailable", false, false],
  ["timeout", false, false],
];

for (const [caseName, first, repeated] of table) {
  test(`${caseName}: ${first ? "final" : "not final"} at first, ${repeated ? "final" : "not final"} on a repeat`, () => {
    const rejection = rejectionCode(intrabankTransfer, caseName);
    assert.equal(isFinalAfter(intrabankTransfer, rejection, false), first);
    assert.equal(isFinalAfter(intrabankTransfer, rejection, true), repeated);
  });
}

test("every rejection of step 14 that a write may return is final, repeated or not", () => {
  const ofStep14 = (caseName: CaseName) => [403, 404].includes(responseCases[caseName].status);
  for (const row of operationRows.filter(({ kind }) => kind === "write")) {
    for (const caseName of row.cases.filter(ofStep14)) {
      assert.ok(isFinalAfter(row, rejectionCode(row, caseName), true), `${row.name} ${caseName}`);
    }
  }
});

test("a code of no table is not final, an unknown path is final for a first send", () => {
  const unknown = { httpStatus: 403, serviceCode: "17", caseName: undefined };
  assert.equal(isFinalAfter(intrabankTransfer, unknown, false), false);
  const noPath = { httpStatus: 404, serviceCode: "00", caseName: undefined };
  assert.equal(isFinalAfter(intrabankTransfer, noPath, false), true);
  assert.equal(isFinalAfter(intrabankTransfer, noPath, true), false);
});

test("a rejected read is always final", () => {
  assert.ok(isFinalAfter(statusInquiryBank, rejectionCode(statusInquiryBank, "generalError"), true));
});
