// A merchant's money between cells: how much is moved, from which account, and when nothing is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { account } from "../../../../../test/engine/transfers.ts";
import { maxMinor, minor } from "../money.ts";
import { merchantOfAccount, newMerchantAccount } from "./merchant-account.ts";
import { decideSweep, type SweepOrder, type SweptAccounts } from "./sweep.ts";

const merchant = "01900000-0000-7000-8000-000000000001";
const own = { ...newMerchantAccount("m0", "IDR", merchant), balance: minor(500n) };
const out = { ...account("3", { version: 41 }), purpose: "transit", accountNo: "transit:out:IDR:00" } as const;
const order: SweepOrder = {
  merchant,
  currency: "IDR",
  to: 0,
  amount: undefined,
  leaves: minor(0n),
  mirror: { name: out.id, version: 41 },
};
const accounts: SweptAccounts = {
  settlement: undefined,
  merchant: { found: own, newId: "m1" },
  out: { found: out, newId: "o1" },
};
const settlement = account("2", { balance: minor(900n), minimumBalance: minor(100n) });

const cases: readonly (readonly [
  name: string,
  of: Partial<SweptAccounts>,
  changes: Partial<SweepOrder>,
  bigint | 0,
])[] = [
  ["all there is", {}, {}, 500n],
  ["an amount that is there", {}, { amount: minor(200n) }, 200n],
  ["what is there of a larger amount", {}, { amount: minor(501n) }, 500n],
  ["not what a refund is about to take", {}, { leaves: minor(420n) }, 80n],
  ["nothing where refunds are about to take more", {}, { leaves: minor(501n) }, 0],
  ["nothing of an empty account", { merchant: { found: { ...own, balance: minor(0n) }, newId: "m1" } }, {}, 0],
  ["nothing where there is no account", { merchant: { found: undefined, newId: "m1" } }, {}, 0],
  ["nothing of what is on hold", { merchant: { found: { ...own, held: minor(500n) }, newId: "m1" } }, {}, 0],
  ["of a settlement account, not its minimum", { settlement }, {}, 800n],
  ["nothing of a settlement account in another currency", { settlement: { ...settlement, currency: "USD" } }, {}, 0],
  [
    "no more than the transit account holds",
    { out: { found: { ...out, balance: minor(maxMinor - 7n) }, newId: "o1" } },
    {},
    7n,
  ],
  ["nothing where the mirror is ahead", {}, { mirror: { name: out.id, version: 42 } }, 0],
  ["nothing where another account is mirrored", {}, { mirror: { name: "other", version: 1 } }, 0],
  ["the first, which nobody has mirrored", { out: { found: undefined, newId: "o1" } }, { mirror: undefined }, 500n],
];

for (const [name, of, changes, expected] of cases) {
  test(`moved is ${name}: ${expected}`, () => {
    const decision = decideSweep({ ...order, ...changes }, { ...accounts, ...of });
    assert.equal(decision.kind === "effect" ? decision.effect.amount : 0, expected);
    assert.equal(decision.kind, expected === 0 ? "nothing" : "effect");
  });
}

test("it goes from the merchant's account to transit, on which it comes first where the settlement account is", () => {
  const sent = { kind: "sweep", from: "m0", to: out.id, amount: 500n };
  const swept = decideSweep(order, accounts);
  assert.ok(swept.kind === "effect");
  const none = { newAccounts: [], transitVersion: 42 };
  assert.deepEqual(swept.effect, { amount: 500n, postings: [sent], ...none });
  const drawn = decideSweep({ ...order, amount: minor(500n) }, { ...accounts, settlement });
  assert.ok(drawn.kind === "effect");
  assert.deepEqual(drawn.effect.postings, [{ ...sent, from: settlement.id, to: "m0" }, sent]);
});

test("accounts that are not there are opened", () => {
  const decision = decideSweep(
    { ...order, mirror: undefined },
    { settlement, merchant: { found: undefined, newId: "m1" }, out: { found: undefined, newId: "o1" } },
  );
  assert.ok(decision.kind === "effect");
  const opened = decision.effect.newAccounts.map(({ id, accountNo }) => `${id} ${accountNo}`);
  assert.deepEqual(opened, [`m1 merchant:${merchant}:IDR`, "o1 transit:out:IDR:00"]);
  assert.equal(decision.effect.newAccounts[0]?.minimumBalance, 0n);
});

test("the number of a merchant's account says whose it is", () => {
  assert.deepEqual(merchantOfAccount(own.accountNo), { merchant, currency: "IDR" });
  for (const other of ["merchant:IDR", `merchant:${merchant}:IDR:01`, out.accountNo, "2000000001"])
    assert.equal(merchantOfAccount(other), undefined);
});
