// The decision table of an intrabank transfer: one row a rejection, in the documented order (D2 step 14, answers by D6).
// Every row is tried alone, and together with every later one: the first of two must be answered.
import assert from "node:assert/strict";
import { test } from "node:test";
import { account, partner } from "../../../../../test/engine/transfers.ts";
import type { Account } from "../accounts/account.ts";
import { maxMinor, minor } from "../money.ts";
import type { RejectionKind } from "../rejection.ts";
import { decideIntrabankTransfer, type IntrabankOrder } from "./intrabank.ts";

const day = 20_778;

interface Case {
  readonly order: IntrabankOrder;
  readonly source: Account | undefined;
  readonly beneficiary: Account | undefined;
}

const sound: Case = {
  order: { partner, amount: minor(100n), currency: "IDR", day },
  source: account("1", { balance: minor(1_000n), version: 3 }),
  beneficiary: account("2"),
};

const order = (changes: Partial<IntrabankOrder>) => (of: Case) => ({ ...of, order: { ...of.order, ...changes } });
const source = (changes: Partial<Account>) => (of: Case) => ({
  ...of,
  source: of.source && { ...of.source, ...changes },
});
const beneficiary = (changes: Partial<Account>) => (of: Case) => ({
  ...of,
  beneficiary: of.beneficiary && { ...of.beneficiary, ...changes },
});
const limits = (changes: Account["limits"]) => (of: Case) =>
  source({ limits: { ...of.source?.limits, ...changes }, dailyUse: { day, total: minor(950n), count: 3 } })(of);

interface Row {
  readonly name: string;
  readonly spoil: (of: Case) => Case;
  readonly rejection: RejectionKind;
  readonly field?: string;
}

const from = "sourceAccountNo";
const to = "beneficiaryAccountNo";
const value = "amount.value";

const rows: readonly Row[] = [
  {
    name: "no such source",
    spoil: (of) => ({ ...of, source: undefined }),
    rejection: "accountNotPermitted",
    field: from,
  },
  { name: "source of another", spoil: source({ partners: ["p2"] }), rejection: "accountNotPermitted", field: from },
  { name: "source of ours", spoil: source({ purpose: "fee" }), rejection: "accountNotPermitted", field: from },
  {
    name: "no such beneficiary",
    spoil: (of) => ({ ...of, beneficiary: undefined }),
    rejection: "unknownBeneficiary",
    field: to,
  },
  {
    name: "beneficiary of ours",
    spoil: beneficiary({ purpose: "funding" }),
    rejection: "unknownBeneficiary",
    field: to,
  },
  { name: "to itself", spoil: (of) => ({ ...of, beneficiary: of.source }), rejection: "sameAccount", field: to },
  {
    name: "another currency",
    spoil: order({ currency: "USD" }),
    rejection: "currencyMismatch",
    field: "amount.currency",
  },
  { name: "source closed", spoil: source({ status: "closed" }), rejection: "accountInactive", field: from },
  { name: "source blocked", spoil: source({ status: "blocked" }), rejection: "accountInactive", field: from },
  { name: "source dormant", spoil: source({ status: "dormant" }), rejection: "accountDormant", field: from },
  { name: "source moved", spoil: source({ status: "moved" }), rejection: "accountInactive", field: from },
  { name: "beneficiary arriving", spoil: beneficiary({ status: "arriving" }), rejection: "accountInactive", field: to },
  { name: "beneficiary closed", spoil: beneficiary({ status: "closed" }), rejection: "accountInactive", field: to },
  { name: "beneficiary blocked", spoil: beneficiary({ status: "blocked" }), rejection: "accountInactive", field: to },
  { name: "beneficiary dormant", spoil: beneficiary({ status: "dormant" }), rejection: "accountDormant", field: to },
  { name: "nothing", spoil: order({ amount: minor(0n) }), rejection: "amountTooSmall", field: value },
  {
    name: "over the limit of one",
    spoil: limits({ perTransaction: minor(99n) }),
    rejection: "overTransactionLimit",
    field: value,
  },
  {
    name: "more than a row holds",
    spoil: beneficiary({ balance: maxMinor }),
    rejection: "overTransactionLimit",
    field: value,
  },
  { name: "too many today", spoil: limits({ dailyCount: 3 }), rejection: "tooManyInPeriod" },
  { name: "over the limit of a day", spoil: limits({ daily: minor(1_049n) }), rejection: "overDailyLimit" },
  { name: "no funds", spoil: source({ balance: minor(99n) }), rejection: "insufficientFunds" },
  { name: "funds held", spoil: source({ held: minor(901n) }), rejection: "insufficientFunds" },
  { name: "below the minimumBalance", spoil: source({ minimumBalance: minor(901n) }), rejection: "insufficientFunds" },
];

function decide({ order: asked, source: debited, beneficiary: credited }: Case) {
  return decideIntrabankTransfer(asked, debited, credited);
}

for (const [index, row] of rows.entries()) {
  const expected = {
    kind: "rejection",
    rejection: row.field === undefined ? { kind: row.rejection } : { kind: row.rejection, field: row.field },
  };
  test(`${row.name}: ${row.rejection}`, () => assert.deepEqual(decide(row.spoil(sound)), expected));

  test(`${row.name} comes before everything further down`, () => {
    for (const later of rows.slice(index + 1)) {
      // Applied last, the earlier fault stands where both change the same thing.
      assert.deepEqual(decide(row.spoil(later.spoil(sound))), expected, `together with: ${later.name}`);
    }
  });
}

// Cases that are just allowed.
const allowed: readonly (readonly [string, (of: Case) => Case])[] = [
  ["the whole balance", order({ amount: minor(1_000n) })],
  ["down to the minimumBalance", source({ minimumBalance: minor(900n) })],
  ["into an overdraft granted", (of) => source({ balance: minor(0n), minimumBalance: minor(-100n) })(of)],
  ["beside what is held", source({ held: minor(900n) })],
  ["exactly the limit of one", limits({ perTransaction: minor(100n) })],
  ["the last of the day", limits({ dailyCount: 4, daily: minor(1_050n) })],
  ["the first of a new day", (of) => order({ day: day + 1 })(limits({ dailyCount: 1, daily: minor(100n) })(of))],
  ["up to what a row holds", beneficiary({ balance: minor(maxMinor - 100n) })],
];

for (const [name, change] of allowed) {
  test(`${name} goes through`, () => assert.equal(decide(change(sound)).kind, "effect"));
}

test("an effect is one posting and the source's use of the day", () => {
  const decision = decide(limits({})(sound));
  assert.deepEqual(decision, {
    kind: "effect",
    effect: {
      postings: [{ kind: "transfer", from: account("1").id, to: account("2").id, amount: 100n }],
      dailyUses: [{ account: account("1").id, use: { day, total: 1_050n, count: 4 } }],
    },
  });
});

test("two nodes that disagree on midnight count on the later day", () => {
  const tomorrow = { day: day + 1, total: minor(70n), count: 2 };
  const decision = decide(source({ dailyUse: tomorrow })(sound));
  assert.ok(decision.kind === "effect");
  assert.deepEqual(decision.effect.dailyUses[0]?.use, { day: day + 1, total: 170n, count: 3 });
  assert.equal(decide(source({ dailyUse: tomorrow, limits: { dailyCount: 2 } })(sound)).kind, "rejection");
});

test("money that goes round all day stays within what a row holds", () => {
  const use = { day, total: minor(maxMinor - 1n), count: 9 };
  const decision = decide(source({ dailyUse: use })(sound));
  assert.ok(decision.kind === "effect");
  assert.equal(decision.effect.dailyUses[0]?.use.total, maxMinor);
});
