import assert from "node:assert/strict";
import { test } from "node:test";
import { newInternalAccount } from "../accounts/internal-accounts.ts";
import { minor } from "../money.ts";
import { applyRailEvent } from "./apply-event.ts";
import { acceptTransfer } from "./transfer.ts";

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
