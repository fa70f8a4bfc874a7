// Rejections of a transfer over a rail, before its rail hears of it (spec D2, step 14).
import assert from "node:assert/strict";
import { test } from "node:test";
import { account, partner } from "../../../../../test/engine/transfers.ts";
import { rails } from "../../../../../test/support/rails.ts";
import type { Account } from "../accounts/account.ts";
import { newInternalAccount } from "../accounts/internal-accounts.ts";
import { minor } from "../money.ts";
import { decideRailTransfer, type RailOrder } from "./accept.ts";

const source = account("1", { balance: minor(10_000_000n) });
const suspense = newInternalAccount("suspense", "suspense", "IDR", "interbank", 7);
const order: RailOrder = {
  id: "transfer",
  partner,
  service: 18,
  rail: "interbank",
  amount: minor(1_000_000n),
  currency: "IDR",
  feeType: undefined,
  beneficiaryBankCode: "014",
  now: Date.UTC(2026, 10, 23, 3),
  day: 1,
  suspensePart: 7,
  suspenseId: "new",
};
const debited = order.amount + rails.rails.interbank.fee;
const rejectionOf = (changes: Partial<RailOrder>, from: Account | undefined) => {
  const decision = decideRailTransfer({ ...order, ...changes }, from, suspense, rails);
  return decision.kind === "rejection" ? decision.rejection.kind : decision.kind;
};

const rows: readonly (readonly [string, Partial<RailOrder>, Account | undefined])[] = [
  ["effect", {}, { ...source, balance: minor(debited) }],
  ["accountNotPermitted", {}, undefined],
  ["accountNotPermitted", { partner: "other" }, source],
  ["bankUnknown", { beneficiaryBankCode: "000" }, source],
  ["ownBank", { beneficiaryBankCode: rails.ownBankCode }, source],
  ["currencyMismatch", { currency: "USD" }, source],
  ["accountInactive", {}, { ...source, status: "blocked" }],
  ["accountDormant", {}, { ...source, status: "dormant" }],
  ["railClosed", { rail: "rtgs", now: Date.UTC(2026, 10, 22, 3) }, source],
  ["belowMinimum", { amount: minor(1n) }, source],
  ["overRailLimit", { amount: minor(10n ** 15n) }, source],
  ["overTransactionLimit", {}, { ...source, limits: { perTransaction: minor(999_999n) } }],
  ["overDailyLimit", {}, { ...source, limits: { daily: minor(999_999n) } }],
  ["insufficientFunds", {}, { ...source, balance: minor(debited - 1n) }],
];

for (const [result, changes, from] of rows) {
  test(`transfer over a rail with ${JSON.stringify(Object.keys(changes))}: ${result}`, () => {
    assert.equal(rejectionOf(changes, from), result);
  });
}
