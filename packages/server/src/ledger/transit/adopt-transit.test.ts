// Payments that a restored cell has lost are written back in their order, all or none, and only where they fit.
import assert from "node:assert/strict";
import { test } from "node:test";
import { account } from "../../../../../test/engine/transfers.ts";
import type { Account } from "../accounts/account.ts";
import { newInternalAccount } from "../accounts/internal-accounts.ts";
import { maxMinor, minor } from "../money.ts";
import { type AdoptingAccounts, decideTransitAdoption, type TransitAdoption } from "./adopt-transit.ts";

const out = { ...newInternalAccount("o0", "transit", "IDR", "out", 7), version: 4, balance: minor(800n) };
const restored = newInternalAccount("r0", "restored", "IDR");
const lost = [
  { version: 5, amount: minor(100n), balanceAfter: minor(900n) },
  { version: 6, amount: minor(50n), balanceAfter: minor(950n) },
];
const order: TransitAdoption = { account: "o0", currency: "IDR", to: 7, entries: lost, actId: "a0" };
const accounts: AdoptingAccounts = { out, restored, restoredId: "r1", moved: () => undefined };

const [fifth, sixth] = lost as [(typeof lost)[0], (typeof lost)[0]];
const withOut = (changes: Partial<Account>) => ({ out: { ...out, ...changes } });
const cases: readonly (readonly [string, Partial<AdoptingAccounts>, Partial<TransitAdoption>, string])[] = [
  ["they are next", {}, {}, "effect"],
  ["they are there", withOut({ version: 6, balance: minor(950n) }), {}, "nothing"],
  ["others were made since", withOut({ version: 9 }), {}, "nothing"],
  ["there are none", {}, { entries: [] }, "nothing"],
  ["one before them is missing", withOut({ version: 3 }), {}, "mirrorGap"],
  ["some of them are there", withOut({ version: 5, balance: minor(900n) }), {}, "mirrorGap"],
  ["one of them is missing", {}, { entries: [fifth, { ...sixth, version: 7 }] }, "mirrorGap"],
  ["another payment is there in the place of one", withOut({ balance: minor(801n) }), {}, "mirrorDiffers balance"],
  ["one of them differs", {}, { entries: [fifth, { ...sixth, amount: minor(49n) }] }, "mirrorDiffers balance"],
  [
    "one takes money back",
    {},
    { entries: [{ version: 5, amount: minor(-1n), balanceAfter: minor(799n) }] },
    "mirrorDiffers balance",
  ],
  ["another account was mirrored", withOut({ id: "o1" }), {}, "mirrorDiffers account"],
  [
    "restored funds hold no more",
    { restored: { ...restored, balance: minor(149n - maxMinor) } },
    {},
    "overTransactionLimit restored:IDR",
  ],
];

for (const [name, of, changes, expected] of cases) {
  test(`${name}: ${expected}`, () => {
    const decision = decideTransitAdoption({ ...order, ...changes }, { ...accounts, ...of });
    const { kind, field } =
      decision.kind === "rejection" ? decision.rejection : { kind: decision.kind, field: undefined };
    assert.equal(field === undefined ? kind : `${kind} ${field}`, expected);
  });
}

test("restored funds pay each of them, in one journal of the act", () => {
  const decision = decideTransitAdoption(order, accounts);
  assert.ok(decision.kind === "effect");
  const postings = lost.map(({ amount }) => ({ kind: "adoption", from: "r0", to: "o0", amount }));
  assert.deepEqual(decision.effect, { postings, newAccounts: [], act: { id: "a0" } });
});

test("an account that was lost, too, is opened under the id by which it is mirrored", () => {
  const first = [{ version: 1, amount: minor(10n), balanceAfter: minor(10n) }];
  const decision = decideTransitAdoption(
    { ...order, entries: first },
    { ...accounts, out: undefined, restored: undefined },
  );
  assert.ok(decision.kind === "effect");
  const opened = decision.effect.newAccounts.map(({ id, accountNo }) => `${id} ${accountNo}`);
  assert.deepEqual(opened, ["o0 transit:out:IDR:07", "r1 restored:IDR"]);
});

const away = account("1", { status: "moved", balance: minor(120n) });
const ofMoved: readonly (readonly [string, Account | undefined, readonly string[]])[] = [
  ["has it again: it pays, as far as it can", away, ["1", "r0"]],
  ["has all of it again", { ...away, balance: minor(150n) }, ["1", "1"]],
  ["is here again, with less than left it", { ...away, status: "active", minimumBalance: minor(21n) }, ["r0", "1"]],
  ["is in another currency", { ...away, currency: "USD" }, ["r0", "r0"]],
  ["is none of a customer", { ...away, purpose: "unclaimed" }, ["r0", "r0"]],
  ["is not here", undefined, ["r0", "r0"]],
];

for (const [name, found, expected] of ofMoved) {
  test(`money of an account that had moved, and that ${name}`, () => {
    const moved = (accountNo: string) => (accountNo === "8" && found ? { ...found, id: "1" } : undefined);
    const entries = lost.map((entry) => ({ ...entry, movedNo: "8" }));
    const decision = decideTransitAdoption({ ...order, entries }, { ...accounts, moved });
    assert.ok(decision.kind === "effect");
    assert.deepEqual(
      decision.effect.postings.map(({ from }) => from),
      expected,
    );
  });
}

test("restored funds that pay nothing are not opened", () => {
  const moved = () => ({ ...away, balance: minor(150n) });
  const entries = lost.map((entry) => ({ ...entry, movedNo: "8" }));
  const decision = decideTransitAdoption({ ...order, entries }, { ...accounts, restored: undefined, moved });
  assert.deepEqual(decision.kind === "effect" && decision.effect.newAccounts, []);
});
