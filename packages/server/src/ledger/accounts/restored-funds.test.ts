import assert from "node:assert/strict";
import { test } from "node:test";
import { minor, zero } from "../money.ts";
import type { Account } from "./account.ts";
import { newAccount, newInternalAccount } from "./internal-accounts.ts";
import { debitRestored } from "./restored-funds.ts";

const debit = { partner: "p", currency: "IDR", amount: minor(110n), dailyAmount: minor(100n), count: 2, day: 7 };
const terms = { id: "a", accountNo: "1001", name: "Siti", currency: "IDR", type: "S" } as const;
const payer: Account = {
  ...newAccount({ ...terms, purpose: "customer", status: "active", partners: ["p"], minimumBalance: zero }),
  balance: minor(110n),
};
const decide = (found: Account | undefined) =>
  debitRestored(debit, { payer: found, restored: undefined, restoredId: "r" });

test("a payer is debited whatever its limits say, and dormant too", () => {
  const limits = { perTransaction: minor(1n), daily: minor(1n), dailyCount: 0 };
  for (const found of [payer, { ...payer, status: "dormant" as const }, { ...payer, limits }]) {
    const { account, newAccounts, owedBecause } = decide(found);
    assert.deepEqual([account, newAccounts, owedBecause], [found, [], undefined]);
  }
});

test("it counts towards the payer's limits of that day, and of no later one", () => {
  const usedOn = (day: number) => decide({ ...payer, dailyUse: { day, total: minor(5n), count: 1 } }).dailyUses;
  assert.deepEqual(usedOn(6), [{ account: "a", use: { day: 7, total: 100n, count: 2 } }]);
  assert.deepEqual(usedOn(7), [{ account: "a", use: { day: 7, total: 105n, count: 3 } }]);
  assert.deepEqual(usedOn(8), []);
});

test("a payer that cannot be debited owes it: the account restored of the currency pays, opened when first used", () => {
  const cases = [
    [undefined, "unknownPayer"],
    [{ ...payer, partners: ["q"] }, "accountNotPermitted"],
    [newInternalAccount("x", "fee", "IDR"), "accountNotPermitted"],
    [{ ...payer, currency: "USD" }, "currencyMismatch"],
    [{ ...payer, status: "closed" as const }, "accountInactive"],
    [{ ...payer, status: "blocked" as const }, "accountInactive"],
    [{ ...payer, balance: minor(109n) }, "insufficientFunds"],
    [{ ...payer, held: minor(1n) }, "insufficientFunds"],
  ] as const;
  for (const [found, expected] of cases) {
    const { account, newAccounts, dailyUses, owedBecause } = decide(found);
    assert.deepEqual(
      [account.accountNo, newAccounts.length, dailyUses, owedBecause],
      ["restored:IDR", 1, [], expected],
    );
  }
  const restored = { ...newInternalAccount("r0", "restored", "IDR"), balance: minor(-900n) };
  const { account, newAccounts } = debitRestored(debit, { payer: undefined, restored, restoredId: "r" });
  assert.deepEqual([account, newAccounts], [restored, []]);
});
