// Decision table of a mirrored entry: what the mirror's version, balance and name say, and where the credit goes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { account } from "../../../../../test/engine/transfers.ts";
import type { Account } from "../accounts/account.ts";
import { newInternalAccount } from "../accounts/internal-accounts.ts";
import { maxMinor, minor } from "../money.ts";
import { decideMirror, type MirrorAccounts, type TransitEntry } from "./mirror.ts";
import { newMerchantAccount } from "./merchant-account.ts";
import { newIn } from "./transit-account.ts";

const mirrored = "00000000-0000-7000-8000-00000000a000";
const transit = { from: 3, to: 7, currency: "IDR" };
const entry: TransitEntry = {
  transit,
  account: mirrored,
  version: 5,
  amount: minor(100n),
  balanceAfter: minor(900n),
  of: "payment",
};
const before = { ...newIn("b0", transit, mirrored), version: 4, balance: minor(-800n) };
const unclaimed = newInternalAccount("u0", "unclaimed", "IDR");
const payee = account("2");
const accounts: MirrorAccounts = {
  payee,
  found: before,
  newId: "b1",
  unapplied: { find: () => unclaimed, newId: "u1" },
};

function decide(
  found: Partial<Account> | undefined,
  of: Partial<MirrorAccounts> = {},
  changes: Partial<TransitEntry> = {},
) {
  const decision = decideMirror(
    { ...entry, ...changes },
    { ...accounts, found: found && { ...before, ...found }, ...of },
  );
  if (decision.kind !== "rejection") return decision.kind;
  const { kind, field } = decision.rejection;
  return field === undefined ? kind : `${kind} ${field}`;
}

const table: readonly (readonly [name: string, found: string, expected: string])[] = [
  ["it is next", decide({}), "effect"],
  ["it was mirrored as the last", decide({ version: 5, balance: minor(-900n) }), "nothing"],
  ["others were mirrored behind it", decide({ version: 6, balance: minor(-1n) }), "nothing"],
  ["the one before it is missing", decide({ version: 3 }), "mirrorGap"],
  ["there is no mirror, and it is not the first", decide(undefined), "mirrorGap"],
  ["another balance before it", decide({ balance: minor(-799n) }), "mirrorDiffers balance"],
  ["the last, with another balance", decide({ version: 5, balance: minor(-901n) }), "mirrorDiffers balance"],
  ["the mirror of another account", decide({ name: "transit:in:IDR:03" }), "mirrorDiffers account"],
  ["the mirror of another account, further on", decide({ name: "other", version: 9 }), "mirrorDiffers account"],
  ["it takes money back", decide({}, {}, { amount: minor(-100n), balanceAfter: minor(700n) }), "mirrorDiffers amount"],
];

for (const [name, found, expected] of table) test(`${name}: ${expected}`, () => assert.equal(found, expected));

test("the mirror is debited and the payee credited", () => {
  const effect = {
    postings: [{ kind: "transit", from: "b0", to: payee.id, amount: 100n }],
    newAccounts: [],
    isDiverted: false,
  };
  assert.deepEqual(decideMirror(entry, accounts), { kind: "effect", effect });
});

test("the first entry opens the mirror, named after the account that it mirrors", () => {
  const first = { ...entry, version: 1, balanceAfter: entry.amount };
  const decision = decideMirror(first, { ...accounts, found: undefined });
  assert.ok(decision.kind === "effect");
  const { postings, newAccounts } = decision.effect;
  assert.deepEqual(postings, [{ kind: "transit", from: "b1", to: payee.id, amount: 100n }]);
  const [{ accountNo, name, purpose, version } = before] = newAccounts;
  assert.deepEqual([accountNo, name, purpose, version], ["transit:in:IDR:03", mirrored, "transit", 0]);
});

const payees: readonly (readonly [name: string, payee: Account | undefined, isDiverted: boolean])[] = [
  ["unknown", undefined, true],
  ["closed", account("2", { status: "closed" }), true],
  ["of another currency", account("2", { currency: "USD" }), true],
  ["one of ours", account("2", { purpose: "fee" }), true],
  ["full", account("2", { balance: minor(maxMinor - 99n) }), true],
  ["just not full", account("2", { balance: minor(maxMinor - 100n) }), false],
  ["blocked", account("2", { status: "blocked" }), false],
  ["dormant", account("2", { status: "dormant" }), false],
];

for (const [name, credited, isDiverted] of payees) {
  test(`a payee that is ${name} is ${isDiverted ? "not " : ""}credited`, () => {
    const decision = decideMirror(entry, { ...accounts, payee: credited });
    assert.ok(decision.kind === "effect");
    assert.equal(decision.effect.isDiverted, isDiverted);
    assert.equal(decision.effect.postings[0]?.to, isDiverted ? unclaimed.id : payee.id);
  });
}

test("unapplied funds are looked for only where they are credited, and opened by the first credit", () => {
  const looked: string[] = [];
  const unapplied = { find: (...name: readonly string[]) => void looked.push(name.join()), newId: "u1" };
  assert.equal(decideMirror(entry, { ...accounts, unapplied }).kind, "effect");
  assert.deepEqual(looked, []);
  const decision = decideMirror(entry, { ...accounts, unapplied, payee: undefined });
  assert.ok(decision.kind === "effect");
  assert.deepEqual(looked, ["unclaimed,IDR"]);
  assert.deepEqual(
    decision.effect.newAccounts.map(({ accountNo }) => accountNo),
    ["unclaimed:IDR"],
  );
});

test("a merchant's account that the cell has lost is opened again", () => {
  const newPayee = newMerchantAccount("m1", "IDR", "01900000-0000-7000-8000-000000000001");
  const merchants = { of: "sweep" } as const;
  const decision = decideMirror({ ...entry, ...merchants }, { ...accounts, payee: undefined, newPayee });
  assert.ok(decision.kind === "effect");
  const postings = [{ kind: "sweep", from: "b0", to: "m1", amount: 100n }];
  assert.deepEqual(decision.effect, { postings, newAccounts: [newPayee], isDiverted: false });
  const again = decideMirror({ ...entry, ...merchants }, { ...accounts, payee: newPayee, newPayee: undefined });
  assert.deepEqual(again.kind === "effect" && again.effect.newAccounts, []);
});
