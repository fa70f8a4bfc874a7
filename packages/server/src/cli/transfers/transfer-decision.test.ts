import assert from "node:assert/strict";
import { test } from "node:test";
import { minor } from "../../ledger/money.ts";
import { acceptTransfer, type RailTransfer } from "../../ledger/transfers/transfer.ts";
import type { TransferState } from "../../ledger/transfers/states.ts";
import type { TransferDecision } from "../../rails/resolve-transfer.ts";
import { confirmationOf, whyImpossible } from "./transfer-decision.ts";

const accepted = acceptTransfer({
  id: "01936c71-d134-7fd0-d9e9-7132b4e8c0b0",
  partner: "00000000-0000-0000-0000-000000000001",
  service: 18,
  rail: "interbank",
  source: "00000000-0000-0000-0000-000000000002",
  currency: "IDR",
  sentAmount: minor(1_000_000n),
  fee: minor(250_000n),
  dailyLimitAmount: minor(1_000_000n),
  businessDate: 20_778,
  at: Date.UTC(2026, 10, 21),
});

function transferIn(state: TransferState): RailTransfer {
  const isOpen = state === "queued" || state === "submitted" || state === "pending";
  return { ...accepted, state, ...(!isOpen && { resolutionJournalId: accepted.id }) };
}

const possible: readonly (readonly [TransferState, readonly TransferDecision[]])[] = [
  ["queued", ["settled", "rejected"]],
  ["submitted", ["settled", "rejected"]],
  ["pending", ["settled", "rejected"]],
  ["settled", ["returned"]],
  ["rejected", []],
  ["returned", []],
];

for (const [state, decisions] of possible) {
  test(`a transfer that is ${state} can become ${decisions.join(" or ") || "nothing else"}`, () => {
    const all = ["settled", "rejected", "returned"] as const;
    assert.deepEqual(
      all.filter((decision) => whyImpossible(transferIn(state), decision) === undefined),
      decisions,
    );
  });
}

test("an impossible resolution is explained", () => {
  assert.match(
    whyImpossible(transferIn("submitted"), "returned") ?? "",
    /^It cannot become returned: it is submitted \(Handed to the rail, which has not answered yet\)\. Only a settled transfer can be returned/,
  );
  assert.match(whyImpossible(transferIn("settled"), "rejected") ?? "", /titian transfer resolve \w{26} returned$/);
  assert.match(whyImpossible(transferIn("rejected"), "settled") ?? "", /A resolution is final/);
});

test("the confirmation names the amounts and accounts", () => {
  assert.match(
    confirmationOf(accepted, "2001", "settled"),
    /10000\.00 IDR will be credited to clearing:interbank:IDR, and the fee of 2500\.00 IDR to the bank/,
  );
  assert.match(confirmationOf(accepted, "2001", "rejected"), /12500\.00 IDR will be credited back to 2001/);
  assert.match(
    confirmationOf(accepted, "2001", "returned"),
    /10000\.00 IDR will be credited from clearing:interbank:IDR to 2001, the fee is kept/,
  );
});
