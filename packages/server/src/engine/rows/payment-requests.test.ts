import assert from "node:assert/strict";
import { test } from "node:test";
import { account, partner } from "../../../../../test/engine/transfers.ts";
import type { PaymentRequest } from "../../ledger/payment-requests/payment-request.ts";
import { openPaymentRequests, type PaymentRequestEffect } from "./payment-requests.ts";

const waiting: PaymentRequest = {
  id: "request",
  partner,
  payer: account("1").id,
  currency: "IDR",
  expiresAt: 1,
  at: 0,
  state: "waiting",
  version: 4,
};
const declined = { ...waiting, state: "declined", answeredAt: 0, answeredBy: "payer" } as const;
const payer = account("1");
const accounts = { byId: () => payer, byNumber: () => payer };
const locks = { paymentRequestId: waiting.id };
const prepare = (rows: ReturnType<typeof openPaymentRequests>, effect: PaymentRequestEffect) =>
  rows.prepare(effect, { journalId: "journal", partnerReferenceKey: undefined, reserves: [] });

test("a later command of the batch finds the answer of an earlier one, and cannot answer by a stale row", () => {
  const rows = openPaymentRequests({ paymentRequests: [waiting], openRequests: new Map() }, accounts);
  const one = prepare(rows, { paymentRequests: [declined] });
  assert.deepEqual([one.rows, rows.find(locks)], [1, waiting]);
  one.apply();
  assert.deepEqual(rows.find(locks), { ...declined, version: 5 });
  assert.throws(() => prepare(rows, { paymentRequests: [declined] }), /used a stale row/);
});

test("an effect on a row that was not declared, not locked, or is there already is a bug", () => {
  const rows = openPaymentRequests({ paymentRequests: [], openRequests: new Map() }, accounts);
  assert.throws(() => rows.find({}), /declared/);
  assert.equal(rows.find(locks), undefined);
  assert.throws(() => prepare(rows, { paymentRequests: [declined] }), /did not lock/);
  prepare(rows, { newPaymentRequests: [waiting] }).apply();
  assert.throws(() => prepare(rows, { newPaymentRequests: [waiting] }), /accepted twice/);
});

test("open requests are those that were found, without those answered by the batch, and with those that it accepts", () => {
  const openRequests = new Map([["1", [waiting, { ...waiting, id: "other" }]]]);
  const rows = openPaymentRequests({ paymentRequests: [waiting], openRequests }, accounts);
  const openOf = () => rows.findOpen({ openRequestsOf: { accountNo: "1", max: 9 } }).map(({ id }) => id);
  assert.deepEqual(openOf(), ["request", "other"]);
  prepare(rows, { paymentRequests: [declined] }).apply();
  assert.deepEqual(openOf(), ["other"]);
  const ofAnother = { ...waiting, id: "of another payer", payer: account("2").id };
  prepare(rows, { newPaymentRequests: [{ ...waiting, id: "new" }, ofAnother] }).apply();
  assert.deepEqual(openOf(), ["other", "new"]);
  assert.throws(() => rows.findOpen({}), /declared/);
});
