import assert from "node:assert/strict";
import { test } from "node:test";
import { type CaseName, type OperationRow, operationRows, operations, responseCases } from "@titian/contract";
import { isDecidedBy } from "./decided.ts";

const { intrabankTransfer, statusInquiryBank } = operations;

const refusedAs = (row: OperationRow, caseName: CaseName) => ({
  httpStatus: responseCases[caseName].status,
  serviceCode: row.code,
  caseName,
});

/** Case, decided on a first send, decided on a repeat. */
const table: readonly (readonly [CaseName, boolean, boolean])[] = [
  // Steps 1 to 12: turned away at the door.
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
  // Failures say nothing, whatever their text.
  ["generalError", false, false],
  ["internalServerError", false, false],
  ["externalServerError", false, false],
  ["serviceUnavailable", false, false],
  ["timeout", false, false],
];

for (const [caseName, first, repeated] of table) {
  test(`${caseName}: ${first ? "decided" : "open"} at first, ${repeated ? "decided" : "open"} on a repeat`, () => {
    const refused = refusedAs(intrabankTransfer, caseName);
    assert.equal(isDecidedBy(intrabankTransfer, refused, false), first);
    assert.equal(isDecidedBy(intrabankTransfer, refused, true), repeated);
  });
}

test("every refusal of step 14 that a write may answer is decided, repeated or not", () => {
  const ofStep14 = (caseName: CaseName) => [403, 404].includes(responseCases[caseName].status);
  for (const row of operationRows.filter(({ kind }) => kind === "write")) {
    for (const caseName of row.cases.filter(ofStep14)) {
      assert.ok(isDecidedBy(row, refusedAs(row, caseName), true), `${row.name} ${caseName}`);
    }
  }
});

test("a code of no table is open, and an unknown path is the door", () => {
  const unknown = { httpStatus: 403, serviceCode: "17", caseName: undefined };
  assert.equal(isDecidedBy(intrabankTransfer, unknown, false), false);
  const noPath = { httpStatus: 404, serviceCode: "00", caseName: undefined };
  assert.equal(isDecidedBy(intrabankTransfer, noPath, false), true);
  assert.equal(isDecidedBy(intrabankTransfer, noPath, true), false);
});

test("reads leave nothing open", () => {
  assert.ok(isDecidedBy(statusInquiryBank, refusedAs(statusInquiryBank, "generalError"), true));
});
