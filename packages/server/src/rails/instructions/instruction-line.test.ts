import assert from "node:assert/strict";
import { test } from "node:test";
import { readInstructionLine, readKeptLine } from "./instruction-line.ts";

const line = {
  referenceNo: "01M7Z8RFFEE00SNE7YAN8SN9KR",
  idempotencyKey: "K",
  amount: "150000.00",
  currency: "IDR",
  beneficiaryBankCode: "014",
  beneficiaryAccountNo: "1",
  beneficiaryAccountName: "Siti Rahayu",
  sourceAccountNo: "2",
  details: { a: 1 },
  validUntil: "2026-11-21T10:00:05.123+07:00",
  sequence: 7,
  ledgerId: "ours",
  partner: "0190abcd-ef01-7234-8567-89abcdef0123",
  serviceCode: "18",
  fee: null,
};
const textOf = (changes: object) => JSON.stringify({ ...line, ...changes });

test("a line tells all that a record needs; what it lacks of that is null", () => {
  const { terms, sequence, record } = readKeptLine(textOf({}));
  assert.deepEqual([terms.amount, terms.details, sequence], ["150000.00", { a: 1 }, 7]);
  assert.deepEqual([record.partner, record.serviceCode, record.fee], [line.partner, "18", null]);
});

test("what the database or a number cannot hold is no instruction, and never an error", () => {
  const bad = [
    "",
    "[]",
    "null",
    "7",
    ...[
      { referenceNo: "a\u0000b" },
      { referenceNo: "" },
      { referenceNo: "x".repeat(65) },
      { idempotencyKey: "\u0000" },
      { amount: 1 },
      { sequence: 0 },
      { sequence: 1.5 },
      { sequence: 9_007_199_254_740_991 },
      { ledgerId: 1 },
    ].map(textOf),
  ];
  for (const text of bad) assert.equal(readInstructionLine(text).ok, false, text);
  assert.equal(readInstructionLine(textOf({ sequence: undefined, ledgerId: undefined })).ok, true);
  assert.throws(() => readKeptLine(textOf({ sequence: undefined })), /earlier form/);
});
