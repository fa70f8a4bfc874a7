// Effects on holds, transfers and bulks that no decision may have: each throws, and nothing of it is applied.
import assert from "node:assert/strict";
import { test } from "node:test";
import { account, partner } from "../../../../../test/engine/transfers.ts";
import { newBulk } from "../../ledger/bulks/bulk.ts";
import { type Hold, type HoldEvent, placeHold } from "../../ledger/holds/hold.ts";
import { minor } from "../../ledger/money.ts";
import { acceptTransfer, type RailTransfer } from "../../ledger/transfers/transfer.ts";
import type { RowEffect } from "./lock-order.ts";
import { createWorkingSet } from "./working-set.ts";

const [payer, settlement] = [account("1", { balance: minor(100n), held: minor(10n) }), account("2")];
const terms = { partner, partnerReferenceNo: "P1", merchantId: "M1", currency: "IDR", expiresAt: 9, at: 0 };
const accounts = { payer: payer.id, settlement: settlement.id };
const hold = (changes: Partial<Hold> = {}): Hold => ({
  ...placeHold({ ...terms, ...accounts, id: "hold", held: minor(10n) }),
  ...changes,
});
const capture = { sequence: 1, id: "capture", amount: minor(4n), refunded: minor(3n), refundUntil: 9 };
const captured = hold({ captured: minor(4n), refunded: minor(3n), captures: 1, eventCount: 1 });
const transfer: RailTransfer = acceptTransfer({
  id: "transfer",
  partner,
  service: 18,
  rail: "interbank",
  source: payer.id,
  currency: "IDR",
  sentAmount: minor(1n),
  fee: minor(0n),
  dailyLimitAmount: minor(1n),
  businessDate: 1,
  suspensePart: 0,
  at: 0,
});
const bulk = newBulk({
  id: "bulk",
  partner,
  source: payer.id,
  currency: "IDR",
  itemCount: 1,
  amount: minor(1n),
  fee: minor(0n),
  at: 0,
});

const workingSet = (accountsThere = [payer, settlement], newItems?: boolean) =>
  createWorkingSet({
    accounts: accountsThere,
    holds: [{ hold: captured, partnerReferenceKey: "key" }],
    captures: new Map([["hold", [capture]]]),
    transfers: [transfer],
    paymentRequests: [],
    openRequests: new Map(),
    bulks: [bulk],
    newItems,
    locked: new Map(),
  });

const changed = (changes: Partial<Hold>, ...events: readonly HoldEvent[]): RowEffect => ({
  holds: [{ hold: { ...captured, ...changes }, events }],
});
const refund = (amount: bigint, captureSequence: number): RowEffect =>
  changed({ refunded: minor(3n + amount) }, { kind: "refund", amount: minor(amount), captureSequence });

const unusable: readonly (readonly [string, RowEffect, RegExp])[] = [
  ["a hold placed twice", { newHolds: [hold()] }, /placed twice/],
  ["a new hold with events", { newHolds: [hold({ id: "new", eventCount: 1 })] }, /placed twice/],
  ["a hold that is not locked", { holds: [{ hold: hold({ id: "other" }), events: [] }] }, /did not lock/],
  ["a refund of a capture that was not loaded", refund(1n, 2), /not loaded/],
  ["a refund beyond a capture", refund(2n, 1), /beyond its amount/],
  ["sums without events", changed({ voided: minor(1n) }), /do not follow/],
  ["an overdraft", changed({ captured: minor(11n) }, { kind: "capture", amount: minor(7n) }), /do not follow/],
  ["an event of nothing", changed({}, { kind: "void", amount: minor(0n) }), /do not follow/],
  ["a transfer accepted twice", { newTransfers: [transfer] }, /accepted twice/],
  ["a transfer that is not locked", { transfers: [{ ...transfer, id: "other" }] }, /did not lock/],
  ["a stale transfer", { transfers: [{ ...transfer, version: -1 }] }, /used a stale row/],
  ["a bulk that is not locked", { bulks: [{ ...bulk, id: "other" }] }, /did not lock/],
  ["a stale bulk", { bulks: [{ ...bulk, version: -1 }] }, /used a stale row/],
  ["a bulk without its items", { newBulks: [{ ...bulk, id: "new" }] }, /items are not written/],
];

for (const [name, effect, message] of unusable) {
  test(`${name} throws`, () => {
    assert.throws(() => workingSet().prepare(effect, "journal", "other key"), message);
  });
}

test("a hold is placed by a command with a key alone, and its money is held", () => {
  const newHolds = [hold({ id: "new" })];
  assert.throws(() => workingSet().prepare({ newHolds }, "journal"), /without a key/);
  const rows = workingSet();
  rows.prepare({ newHolds }, "journal", "other key").apply();
  assert.equal(rows.lockedRowsFor({ accountNumbers: ["1"] }).account("1")?.held, 20n);
});

test("a captured amount is held no more", () => {
  const rows = workingSet();
  const effect = changed({ captured: minor(6n), captures: 2 }, { kind: "capture", amount: minor(2n) });
  rows.prepare(effect, "journal", "other key").apply();
  assert.equal(rows.lockedRowsFor({ accountNumbers: ["1"] }).account("1")?.held, 8n);
});

test("a hold is not decided on without its accounts", () => {
  const found = workingSet([settlement]).lockedRowsFor({ hold: { id: "hold" } });
  assert.throws(() => found.hold(), /account of hold hold is not there/);
});

test("rows that were not declared cannot be read", () => {
  const found = workingSet().lockedRowsFor({});
  assert.throws(() => found.hold(), /declared/);
  assert.throws(() => found.transfer(), /declared/);
  assert.throws(() => found.freeTransfers(), /declared/);
  assert.throws(() => found.bulk(), /declared/);
  assert.throws(() => found.hasNewItems(), /declared/);
  assert.throws(() => found.internalAccount("funding", "IDR"), /not locked/);
  assert.throws(() => found.act(), /no act was declared/);
});

test("a second bulk in a batch has no items", () => {
  const rows = workingSet([payer], true);
  rows.prepare({ newBulks: [{ ...bulk, id: "new" }] }, "journal").apply();
  assert.throws(() => rows.prepare({ newBulks: [{ ...bulk, id: "second" }] }, "journal"), /items are not written/);
});
