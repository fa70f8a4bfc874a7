// A payment across cells: rejected as the same payment within the cell would be, in the same order; else it credits transit.
import assert from "node:assert/strict";
import { test } from "node:test";
import { account, partner } from "../../../../../test/engine/transfers.ts";
import type { Account } from "../accounts/account.ts";
import { maxMinor, minor } from "../money.ts";
import { decideIntrabankTransfer } from "../transfers/intrabank.ts";
import { decideTransferAcrossCells } from "./pay-across-cells.ts";
import type { OutAccount } from "./transit-account.ts";

const day = 20_778;
const cell = 7;
const sound = {
  order: { partner, amount: minor(100n), currency: "IDR", day },
  source: account("1", { balance: minor(1_000n), version: 3 }) as Account | undefined,
  payee: account("2") as Account | undefined,
};
type Case = typeof sound;

const none: OutAccount = { found: undefined, newId: "00000000-0000-7000-8000-000000000007" };
const opened = { ...account("3"), purpose: "transit", accountNo: "transit:out:IDR:07", version: 41 } as const;

const source = (changes: Partial<Account>) => (of: Case) => ({
  ...of,
  source: of.source && { ...of.source, ...changes },
});
const payee = (changes: Partial<Account>) => (of: Case) => ({ ...of, payee: of.payee && { ...of.payee, ...changes } });
const order = (changes: Partial<Case["order"]>) => (of: Case) => ({ ...of, order: { ...of.order, ...changes } });
const use = { day, total: minor(950n), count: 3 };

/** In the order of the answers. */
const faults: readonly (readonly [kind: string, spoil: (of: Case) => Case])[] = [
  ["accountNotPermitted", (of) => ({ ...of, source: undefined })],
  ["accountNotPermitted", source({ partners: [] })],
  ["accountNotPermitted", source({ purpose: "transit" })],
  ["unknownBeneficiary", (of) => ({ ...of, payee: undefined })],
  ["unknownBeneficiary", payee({ purpose: "unclaimed" })],
  ["sameAccount", payee({ id: account("1").id })],
  ["currencyMismatch", order({ currency: "USD" })],
  ["currencyMismatch", payee({ currency: "USD" })],
  ["accountInactive", source({ status: "closed" })],
  ["accountDormant", source({ status: "dormant" })],
  ["accountInactive", payee({ status: "blocked" })],
  ["accountInactive", payee({ status: "closed" })],
  ["accountDormant", payee({ status: "dormant" })],
  ["amountTooSmall", order({ amount: minor(0n) })],
  ["overTransactionLimit", source({ limits: { perTransaction: minor(99n) } })],
  ["overTransactionLimit", payee({ balance: minor(maxMinor - 99n) })],
  ["tooManyInPeriod", source({ limits: { dailyCount: 3 }, dailyUse: use })],
  ["overDailyLimit", source({ limits: { daily: minor(1_049n) }, dailyUse: use })],
  ["insufficientFunds", source({ balance: minor(99n) })],
];

const across = (of: Case, out = none) => decideTransferAcrossCells({ ...of.order, cell }, of.source, of.payee, out);
const kindOf = (decision: ReturnType<typeof across>) =>
  decision.kind === "rejection" ? decision.rejection.kind : decision.kind;

for (const [index, [kind, spoil]] of faults.entries()) {
  test(`${kind}, the ${index + 1}. fault, alone and before all further down`, () => {
    assert.equal(kindOf(across(spoil(sound))), kind);
    for (const [, later] of faults.slice(index)) {
      const both = spoil(later(sound));
      assert.deepEqual(across(both), decideIntrabankTransfer(both.order, both.source, both.payee));
    }
  });
}

test("the account of what goes to the cell is credited, and opened by the first payment", () => {
  const posting = { kind: "transfer", from: account("1").id, amount: 100n };
  const dailyUses = [{ account: account("1").id, use: { day, total: 100n, count: 1 } }];
  const first = across(sound);
  assert.ok(first.kind === "effect");
  const [transit] = first.effect.newAccounts;
  assert.deepEqual([transit?.accountNo, transit?.purpose, transit?.version], ["transit:out:IDR:07", "transit", 0]);
  const effect = { postings: [{ ...posting, to: none.newId }], dailyUses, newAccounts: [transit], transitVersion: 1 };
  assert.deepEqual(first.effect, effect);

  const later = across(sound, { ...none, found: opened });
  const next = { postings: [{ ...posting, to: opened.id }], dailyUses, newAccounts: [], transitVersion: 42 };
  assert.deepEqual(later, { kind: "effect", effect: next });
});

test("nothing is accepted that the account of what goes to the cell cannot hold", () => {
  const full = { ...opened, balance: minor(maxMinor - 99n) };
  assert.equal(kindOf(across(sound, { ...none, found: full })), "overTransactionLimit");
  assert.equal(kindOf(across(order({ amount: minor(99n) })(sound), { ...none, found: full })), "effect");
});
