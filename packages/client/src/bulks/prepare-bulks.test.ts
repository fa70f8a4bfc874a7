import assert from "node:assert/strict";
import { test } from "node:test";
import { operations, readRequest } from "@titian/contract";
import type { BulkOrder, BulkPayment } from "./bulk.ts";
import { findPaymentFaults } from "./find-payment-faults.ts";
import { nextNumber } from "./numbers.ts";
import { paymentsToRetry } from "./payment-results.ts";
import { prepareBulks } from "./prepare-bulks.ts";

const payment: BulkPayment = {
  bankCode: "014",
  beneficiaryAccountNo: "8800000001",
  beneficiaryAccountName: "Siti Nur Aini 💸",
  amount: { value: "4500000.00", currency: "IDR" },
};

const order = (count: number, more: Partial<BulkOrder> = {}): BulkOrder => ({
  name: "PAYROLL-2026-11",
  sourceAccountNo: "1000000001",
  transactionDate: "2026-11-25T10:00:00+07:00",
  payments: Array<BulkPayment>(count).fill(payment),
  ...more,
});

const numbersOf = (bulks: ReturnType<typeof prepareBulks>) =>
  bulks.flatMap(({ payments }) => payments.map(({ partnerReferenceNo }) => partnerReferenceNo));

test("a list makes the same bulks again, whose payments are all of it, numbered once", () => {
  const bulks = prepareBulks(order(25_001));
  assert.deepEqual(prepareBulks(order(25_001)), bulks);
  assert.deepEqual(
    bulks.map(({ partnerBulkId, start, payments }) => [partnerBulkId, start, payments.length]),
    [
      ["PAYROLL-2026-11-B1", 0, 10_000],
      ["PAYROLL-2026-11-B2", 10_000, 10_000],
      ["PAYROLL-2026-11-B3", 20_000, 5_001],
    ],
  );
  const numbers = numbersOf(bulks);
  assert.equal(new Set(numbers).size, 25_001);
  assert.deepEqual([numbers[0], numbers.at(-1)], ["PAYROLL-2026-11-000001", "PAYROLL-2026-11-025001"]);
  const ids = bulks.map(({ attempt }) => attempt.externalId);
  assert.equal(new Set(ids).size, 3);
  for (const id of ids) assert.match(id, /^\d{32}$/);
  assert.notEqual(prepareBulks(order(1, { name: "OTHER" }))[0]?.attempt.externalId, ids[0]);
  for (const { attempt } of bulks) {
    assert.ok(readRequest(operations.interbankBulkTransfer, JSON.parse(attempt.body)).ok);
  }
});

test("bodies keep the limit in bytes, and payments added at the end leave the bulks before them as they were", () => {
  const limits = { maxItems: 7, maxBytes: 1_000 };
  const before = prepareBulks(order(20), limits);
  const after = prepareBulks(order(400), limits);
  for (const { attempt, payments } of [...before, ...after]) {
    assert.ok(Buffer.byteLength(attempt.body) <= 1_000);
    assert.ok(payments.length <= 7);
  }
  assert.deepEqual(after.slice(0, before.length - 1), before.slice(0, -1));
  assert.equal(numbersOf(after).length, 400);
  assert.throws(() => prepareBulks(order(1), { maxBytes: 300 }), /payments\[0\] is too large: \d+ of \d+ bytes/);
  for (const maxItems of [0, 10_001, 1.5]) assert.throws(() => prepareBulks(order(1), { maxItems }), TypeError);
});

test("every faulty payment is named with its field before anything is sent", () => {
  const payments = [
    { ...payment, partnerReferenceNo: "A" },
    { ...payment, bankCode: "14", beneficiaryAccountName: " " },
    { ...payment, amount: { value: "1.500.000,00", currency: "Rp" } },
    { ...payment, amount: { value: "0.00", currency: "IDR" } },
    { ...payment, partnerReferenceNo: "A" },
  ];
  const faults = findPaymentFaults(order(0, { payments, sourceAccountNo: "" }));
  assert.deepEqual(
    faults.map(({ index, field, message }) => `${index ?? ""} ${field} ${message}`),
    [
      " sourceAccountNo is missing",
      "1 bankCode is malformed: 3 digits, BIC-8 or BIC-11.",
      "1 beneficiaryAccountName is missing",
      "2 amount.value is malformed: up to 16 digits, then up to 2 decimals after a point.",
      "3 amount.value is zero",
      "4 partnerReferenceNo A is used twice",
    ],
  );
  assert.throws(() => prepareBulks(order(0, { payments })), /^TypeError: payments\[1\]\.bankCode is malformed/);
  assert.throws(() => prepareBulks(order(0)), /payments is empty/);
  for (const name of ["", "a b", "x".repeat(41)]) assert.throws(() => prepareBulks(order(1, { name })), /name must be/);
});

test("only rejected and returned payments are to be sent again, under numbers that follow from theirs", () => {
  const [bulk] = prepareBulks(order(4));
  const states = ["settled", "rejected", "returned", "open"] as const;
  const results = (bulk?.payments ?? []).map((one, index) => ({
    index,
    payment: one,
    state: states[index] ?? "open",
  }));
  const retried = paymentsToRetry(results).map(({ partnerReferenceNo }) => partnerReferenceNo);
  assert.deepEqual(retried, ["PAYROLL-2026-11-000002-R2", "PAYROLL-2026-11-000003-R2"]);
  assert.equal(nextNumber("SLIP-7-R9"), "SLIP-7-R10");
  assert.throws(() => nextNumber("x".repeat(62)), /too long/);
});
