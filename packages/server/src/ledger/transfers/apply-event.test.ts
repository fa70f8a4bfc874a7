import assert from "node:assert/strict";
import { test } from "node:test";
import { account } from "../../../../../test/engine/transfers.ts";
import { newInternalAccount } from "../accounts/internal-accounts.ts";
import { minor } from "../money.ts";
import { applyRailEvent, type TransferAccounts, settleTogether } from "./apply-event.ts";
import type { TransferEvent, TransferState } from "./states.ts";
import { acceptTransfer, type RailTransfer } from "./transfer.ts";

const transfer = acceptTransfer({
  id: "transfer",
  partner: "partner",
  service: 22,
  rail: "rtgs",
  source: "payer",
  currency: "IDR",
  suspensePart: 7,
  sentAmount: minor(100n),
  fee: minor(5n),
  dailyLimitAmount: minor(100n),
  businessDate: 0,
  at: 0,
});

/** The postings of its settlement, decided with the given part of the suspense account. */
function settleFrom(part: number) {
  const accounts = {
    source: undefined,
    suspense: newInternalAccount("suspense", "suspense", "IDR", "rtgs", part),
    clearing: newInternalAccount("clearing", "clearing", "IDR", "rtgs"),
    fee: newInternalAccount("fee", "fee", "IDR", "rtgs"),
    newIds: { clearing: "new", fee: "new" },
  };
  const event = { event: "settle", by: "rail", now: 1, journal: "journal" } as const;
  const decision = applyRailEvent(transfer, event, accounts, { find: () => undefined, newId: "new" });
  return decision.kind === "effect" ? decision.effect.postings.map(({ from, amount }) => [from, amount]) : [];
}

test("a result takes amount and fee from the transfer's own part of the suspense account, and from no other", () => {
  assert.deepEqual(settleFrom(7), [
    ["suspense", 100n],
    ["suspense", 5n],
  ]);
  assert.throws(
    () => settleFrom(8),
    /money of transfer transfer is on suspense:rtgs:IDR:07, not on suspense:rtgs:IDR:08/,
  );
});

const payer = account("1", { dailyUse: { day: 0, total: minor(150n), count: 2 } });
const parties: TransferAccounts = {
  source: payer,
  suspense: newInternalAccount("suspense", "suspense", "IDR", "rtgs", 7),
  clearing: newInternalAccount("clearing", "clearing", "IDR", "rtgs"),
  fee: newInternalAccount("fee", "fee", "IDR", "rtgs"),
  newIds: { clearing: "new", fee: "new" },
};
const own = { find: () => undefined, newId: "new" };
const apply = (of: typeof transfer, event: TransferEvent, accounts = parties) =>
  applyRailEvent(of, { event, by: "rail", now: 1, journal: "journal" }, accounts, own);

test("a rejection returns all that was debited, and gives back what it used of the daily limit", () => {
  const decision = apply(transfer, "reject");
  assert.ok(decision.kind === "effect");
  const { postings, dailyUses } = decision.effect;
  assert.deepEqual(postings, [{ kind: "reversal", from: "suspense", to: payer.id, amount: 105n }]);
  assert.deepEqual(dailyUses, [{ account: payer.id, use: { day: 0, total: 50n, count: 1 } }]);
});

test("no event changes a rejected transfer, and a settled one is returned alone", () => {
  const events: readonly TransferEvent[] = ["submit", "acknowledge", "withdraw", "settle", "reject", "return"];
  const kindsOf = (state: TransferState) =>
    events.filter((event) => apply({ ...transfer, state }, event).kind === "effect");
  assert.deepEqual([kindsOf("rejected"), kindsOf("returned"), kindsOf("settled")], [[], [], ["return"]]);
});

test("a transfer does not end without its accounts", () => {
  assert.throws(() => apply(transfer, "reject", { ...parties, source: undefined }), /an account of transfer/);
  assert.throws(() => apply(transfer, "settle", { ...parties, suspense: undefined }), /an account of transfer/);
});

test("transfers settle together by one posting of each kind; those in another state are left as they are", () => {
  const settleAll = (of: readonly RailTransfer[]) =>
    settleTogether(
      of.map((one) => ({ transfer: one, result: { traceNo: `trace of ${one.id}`, isResolvedSynchronously: true } })),
      { now: 1, journal: "journal" },
      parties,
    );
  const one = { ...transfer, id: "one", fee: minor(3n) };
  const other = { ...transfer, id: "other", state: "pending", sentAmount: minor(40n) } as const;
  const ended = (["settled", "rejected", "returned"] as const).map((state) => ({ ...transfer, id: state, state }));
  const decision = settleAll([one, ...ended, other]);
  assert.ok(decision.kind === "effect");
  const { transfers, postings } = decision.effect;
  const end = { state: "settled", resolvedBy: "rail", resolutionJournalId: "journal", isResolvedSynchronously: true };
  assert.deepEqual(transfers, [
    { ...one, ...end, traceNo: "trace of one" },
    { ...other, ...end, traceNo: "trace of other" },
  ]);
  assert.deepEqual(postings, [
    { kind: "settlement", from: "suspense", to: "clearing", amount: 140n },
    { kind: "fee", from: "suspense", to: "fee", amount: 8n },
  ]);
  assert.deepEqual(settleAll(ended), { kind: "nothing" });
  assert.throws(
    () => settleAll([one, { ...other, suspensePart: 8 }]),
    /money of transfer other is on suspense:rtgs:IDR:08/,
  );
});

test("an operator rejects 10 s after the submission: 5 s of an instruction on its way, and 5 s of clocks that differ", () => {
  const rejectAt = (now: number) =>
    applyRailEvent(transfer, { event: "reject", by: "operator", now, journal: "journal" }, parties, own).kind;
  assert.deepEqual([rejectAt(9_999), rejectAt(10_000)], ["nothing", "effect"]);
});

test("a withdrawal changes nothing of what reconciliation has claimed, or what was submitted again", () => {
  const withdraw = (of: Partial<RailTransfer>, only: object) =>
    applyRailEvent(
      { ...transfer, ...of },
      { event: "withdraw", by: "rail", now: 1, journal: "journal", ...only },
      parties,
      own,
    ).kind;
  assert.equal(withdraw({}, { onlyIfNotClaimed: true }), "effect");
  assert.equal(withdraw({ inquiryCount: 1 }, { onlyIfNotClaimed: true }), "nothing");
  assert.equal(withdraw({ version: 1 }, { onlyAtVersion: 1 }), "effect");
  assert.equal(withdraw({ version: 2 }, { onlyAtVersion: 1 }), "nothing");
});
