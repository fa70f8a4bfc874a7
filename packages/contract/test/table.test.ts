// Goal: the table of operations is the specification's, both ways. Method: compare names, presence and lengths of
// every row with the `spec` column of vectors/snap-fields.json; every difference in length is listed here.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Fields, operationByCode, operationRows, type Presence } from "@titian/contract";
import { type SnapField, snapFields } from "./snap-fields.ts";

const letters: Readonly<Record<Presence, string>> = { mandatory: "M", optional: "O", conditional: "C", onSuccess: "S" };

/** Lengths that differ from the file's, with the reason. */
const otherLengths: Readonly<Record<string, number>> = {
  // Decision D5: the wider one where sources collide.
  originalExternalId: 36,
  beneficiaryAccountNo: 34,
  // Lists of values: as long as the longest value.
  feeType: 4,
  lastCapture: 5,
  voidRemainingAmount: 5,
  latestCaptureStatus: 7,
  latestVoidStatus: 7,
};

/** Lengths of fields that only the specification has at this place: those of the same field elsewhere. */
const lengthsBySpecificationAlone: Readonly<Record<string, number>> = {
  remark: 50,
  currency: 3,
  customerReference: 30,
  partnerReferenceNo: 64,
  originalResponseCode: 7,
  originalResponseMessage: 150,
  sessionId: 25,
  requestId: 25,
  beneficiaryAccountNo: 34,
  referenceNumber: 30,
  sourceAccountNo: 19,
  beneficiaryBankCode: 11,
  previousResponseCode: 7,
  transactionId: 8,
};

/** Fields that the specification has not and the standard has, by service and part. */
const departures: Readonly<Record<string, readonly string[]>> = {
  // Decision D14: `partnerId` stands in it.
  "21 request": ["additionalInfo O any"],
};

const longestTimestamp = 35;

function describe(fields: Fields, prefix = ""): string[] {
  return Object.entries(fields).flatMap(([name, { presence, type }]) => {
    const own = `${prefix}${name} ${letters[presence]} ${type.kind === "text" ? type.max : type.kind}`;
    // originatorInfos is one shape for all; the file describes its entries in its note only.
    return type.kind === "list" && name === "bulkObject" ? [own, ...describe(type.entry, "[].")] : [own];
  });
}

function expectedKind({ name, type, max, format }: SnapField): string {
  const last = name.replace("[].", "");
  if (last === "items" || last === "additionalInfo") return "any";
  if (type === "Money") return "money";
  if (type === "array") return "list";
  if (format === "datetime") return String(longestTimestamp);
  if (max === null) return String(lengthsBySpecificationAlone[last]);
  return String(otherLengths[last] ?? max);
}

const expected = (fields: readonly SnapField[]): string[] =>
  fields.filter(({ spec }) => spec !== null).map((field) => `${field.name} ${field.spec} ${expectedKind(field)}`);

for (const [code, operation] of Object.entries(snapFields.operations)) {
  for (const part of ["request", "response"] as const) {
    test(`the ${part} of ${code} has exactly the specification's fields, and the departures listed here`, () => {
      const row = operationByCode(code);
      assert.ok(row, `no row has code ${code}`);
      const more = departures[`${code} ${part}`] ?? [];
      assert.deepEqual(describe(row[part]).sort(), [...expected(operation[part]), ...more].sort());
    });
  }
}

test("the table holds the 20 operations and the two token services", () => {
  const codes = operationRows.map((row) => row.code).filter((code) => code !== "73" && code !== "74");
  assert.deepEqual(codes.sort(), Object.keys(snapFields.operations).sort());
  assert.equal(operationRows.length, 22);
  assert.equal(operationByCode("99"), undefined);
});

test("an originator has number, name and bank, all mandatory", () => {
  const type = operationByCode("17")?.request.originatorInfos?.type;
  assert.ok(type?.kind === "list");
  assert.deepEqual(describe(type.entry), [
    "originatorCustomerNo M 34",
    "originatorCustomerName M 100",
    "originatorBankCode M 11",
  ]);
});

test("every operation has the path of the standard", () => {
  assert.deepEqual(Object.fromEntries(operationRows.map((row) => [row.code, row.path])), {
    15: "account-inquiry-internal",
    16: "account-inquiry-external",
    17: "transfer-intrabank",
    18: "transfer-interbank",
    19: "transfer-request-for-payment",
    20: "transfer-interbank-bulk",
    21: "transfer-interbank-bulk/notify",
    22: "transfer-rtgs",
    23: "transfer-skn",
    36: "transfer/status",
    53: "qr/qr-mpm-status",
    63: "auth/payment",
    64: "auth/query",
    65: "auth/capture",
    66: "auth/capture-query",
    67: "auth/void",
    68: "auth/void-query",
    69: "auth/refund",
    73: "access-token/b2b",
    74: "access-token/b2b2c",
    75: "transfer-skn/notify",
    76: "transfer-rtgs/notify",
  });
});
