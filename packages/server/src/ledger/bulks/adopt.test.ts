import assert from "node:assert/strict";
import { test } from "node:test";
import { minor } from "../money.ts";
import { newInternalAccount } from "../accounts/internal-accounts.ts";
import { adoptTransfer } from "../transfers/adopt.ts";
import { adoptBulk } from "./adopt.ts";

const restored = newInternalAccount("r", "restored", "IDR");
const accounts = { payer: undefined, restored, restoredId: "r2" };
const common = { partner: "p", currency: "IDR", suspensePart: 3, suspenseId: "s", actId: "act" };

test("a bulk comes back with the sums of the items that are known, in one posting, by an act", () => {
  const item = (sent: bigint, fee: bigint, requested: bigint) => ({
    sentAmount: minor(sent),
    fee: minor(fee),
    dailyLimitAmount: minor(requested),
  });
  const items = [item(90n, 10n, 100n), item(200n, 10n, 200n)];
  const { effect } = adoptBulk({ ...common, id: "b", items, now: 1, day: 0 }, undefined, accounts);
  const { newBulks, postings, newAccounts, act } = effect;
  assert.deepEqual(
    newBulks.map(({ source, itemCount, amount, fee }) => ({ source, itemCount, amount, fee })),
    [{ source: "r", itemCount: 2, amount: 300n, fee: 20n }],
  );
  assert.deepEqual(postings, [{ kind: "submission", from: "r", to: "s", amount: 310n }]);
  assert.deepEqual(
    newAccounts.map(({ accountNo }) => accountNo),
    ["suspense:interbank:IDR:03"],
  );
  assert.deepEqual(act, { id: "act" });
});

test("a transfer comes back pending, with amount and fee on its part of the suspense account", () => {
  const { actId, suspenseId, ...terms } = common;
  const amounts = { sentAmount: minor(100n), fee: minor(10n), dailyLimitAmount: minor(100n) };
  const transfer = { ...terms, ...amounts, id: "t", service: 23, rail: "skn", businessDate: 0, at: 1 } as const;
  const suspense = newInternalAccount("s0", "suspense", "IDR", "skn", 3);
  const { effect } = adoptTransfer({ terms: transfer, actId, suspenseId }, suspense, accounts);
  assert.deepEqual(
    effect.newTransfers.map(({ state, source }) => [state, source]),
    [["pending", "r"]],
  );
  assert.deepEqual(effect.postings, [{ kind: "submission", from: "r", to: "s0", amount: 110n }]);
  assert.deepEqual(effect.newAccounts, []);
});
