// The money of an account that has moved: all of it goes on, and nothing of one that is here or where the two cells do not agree.
import assert from "node:assert/strict";
import { test } from "node:test";
import { account } from "../../../../../test/engine/transfers.ts";
import type { Account } from "../accounts/account.ts";
import { maxMinor, minor } from "../money.ts";
import { decideRelocation, type RelocationOrder } from "./relocate.ts";
import type { OutAccount } from "./transit-account.ts";

const moved = account("1", { status: "moved", balance: minor(500n) });
const out = { ...account("3", { version: 41 }), purpose: "transit", accountNo: "transit:out:IDR:07" } as const;
const there: OutAccount = { found: out, newId: "o1" };
const order: RelocationOrder = { to: 7, mirror: { name: out.id, version: 41 } };

const cases: readonly (readonly [
  name: string,
  account: Account | undefined,
  out: OutAccount,
  changes: Partial<RelocationOrder>,
  bigint | 0,
])[] = [
  ["all there is", moved, there, {}, 500n],
  ["nothing where there is nothing", { ...moved, balance: minor(0n) }, there, {}, 0],
  ["nothing of an account that is here", { ...moved, status: "active" }, there, {}, 0],
  ["nothing of one that is coming", { ...moved, status: "arriving" }, there, {}, 0],
  ["nothing where there is no account", undefined, there, {}, 0],
  [
    "no more than the transit account holds",
    moved,
    { ...there, found: { ...out, balance: minor(maxMinor - 7n) } },
    {},
    7n,
  ],
  ["nothing where the mirror is ahead", moved, there, { mirror: { name: out.id, version: 42 } }, 0],
  ["nothing where another account is mirrored", moved, there, { mirror: { name: "other", version: 1 } }, 0],
  ["the first, which nobody has mirrored", moved, { ...there, found: undefined }, { mirror: undefined }, 500n],
];

for (const [name, from, to, changes, expected] of cases) {
  test(`relocated is ${name}: ${expected}`, () => {
    const decision = decideRelocation({ ...order, ...changes }, from, to);
    assert.equal(decision.kind === "effect" ? decision.effect.amount : 0, expected);
    assert.equal(decision.kind, expected === 0 ? "nothing" : "effect");
  });
}

test("it goes from the account to transit, which is opened where there is none", () => {
  const decision = decideRelocation(order, moved, there);
  assert.ok(decision.kind === "effect");
  const postings = [{ kind: "relocation", from: moved.id, to: out.id, amount: 500n }];
  assert.deepEqual(decision.effect, { amount: 500n, postings, newAccounts: [], transitVersion: 42 });
  const first = decideRelocation({ ...order, mirror: undefined }, moved, { ...there, found: undefined });
  assert.ok(first.kind === "effect");
  assert.deepEqual(
    first.effect.newAccounts.map(({ id, accountNo }) => `${id} ${accountNo}`),
    ["o1 transit:out:IDR:07"],
  );
});
