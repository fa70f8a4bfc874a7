import assert from "node:assert/strict";
import { test } from "node:test";
import type { Account, HeldStatus } from "./account.ts";
import { type AccountChange, decideAccountChange } from "./change-account.ts";
import { minor, zero } from "../money.ts";
import { newAccount, newInternalAccount } from "./internal-accounts.ts";

const account = newAccount({
  id: "a",
  accountNo: "1001",
  name: "Siti Rahayu",
  currency: "IDR",
  purpose: "customer",
  type: "S",
  status: "active",
  partners: ["p", "q"],
  minimumBalance: zero,
});
const funded: Account = { ...account, balance: minor(100n) };
const held: Account = { ...account, balance: minor(100n), held: minor(40n) };

function outcome(found: Account | undefined, change: AccountChange): string {
  const decision = decideAccountChange(found, change);
  if (decision.kind === "rejection") return decision.rejection.kind;
  return decision.kind === "effect" ? decision.effect.changed.status : "nothing";
}

test("every state follows every other, but closed is never left", () => {
  const states: readonly HeldStatus[] = ["active", "dormant", "blocked", "closed"];
  for (const from of states) {
    for (const to of states) {
      const expected = from === to ? "nothing" : from === "closed" ? "accountClosed" : to;
      assert.equal(outcome({ ...account, status: from }, { status: to }), expected, `${from} -> ${to}`);
    }
  }
});

test("an account is closed when nothing is left on it", () => {
  const rows: readonly [Account | undefined, AccountChange, string][] = [
    [account, { status: "closed" }, "closed"],
    [funded, { status: "closed" }, "accountInUse"],
    [funded, { status: "closed", closesWithMoney: true }, "closed"],
    [held, { status: "closed", closesWithMoney: true }, "accountInUse"],
    [{ ...account, status: "closed" }, { name: "Other" }, "accountClosed"],
    [{ ...account, status: "moved" }, { name: "Other" }, "accountMoved"],
    [{ ...account, status: "arriving" }, { status: "closed" }, "accountMoved"],
    [funded, { minimumBalance: minor(100n) }, "active"],
    [funded, { minimumBalance: minor(101n) }, "insufficientFunds"],
    [held, { minimumBalance: minor(61n) }, "insufficientFunds"],
    [undefined, { status: "closed" }, "unknownAccount"],
    [newInternalAccount("f", "funding", "IDR"), { status: "blocked" }, "unknownAccount"],
  ];
  for (const [found, change, expected] of rows) assert.equal(outcome(found, change), expected);
});

test("a change touches what it names and nothing else", () => {
  const decision = decideAccountChange(funded, {
    limits: { perTransaction: minor(10n) },
    addPartners: ["r", "p"],
    removePartners: ["q"],
  });
  assert.deepEqual(decision, {
    kind: "effect",
    effect: { changed: { ...funded, limits: { perTransaction: 10n }, partners: ["p", "r"] } },
  });
});
