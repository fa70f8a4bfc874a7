// The decision table of a bulk (20): one row a rejection, in the documented order (spec D2 step 14, D13). Every row is tried
// alone, and with every later one on an item before its own: the check comes first, not the item.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { account, partner } from "../../../../../test/engine/transfers.ts";
import type { Account } from "../accounts/account.ts";
import { minor } from "../money.ts";
import type { RailData, RailTerms } from "../rails/terms.ts";
import type { RejectionKind } from "../rejection.ts";
import { type FeeType, splitFee } from "../transfers/fees.ts";
import { type BulkItemOrder, type BulkOrder, decideBulk } from "./accept.ts";

const day = 20_778;
/** Friday, 2026-11-27, 10:00 in Jakarta. */
const now = Date.UTC(2026, 10, 27, 3);
const bank = { code: "014", bic: "CENAIDJA", name: "BCA" };

const terms: RailTerms = {
  name: "interbank",
  currency: "IDR",
  min: minor(10n),
  max: minor(500n),
  fee: minor(25n),
  sharedFeeMax: minor(10n),
};

interface Case {
  readonly order: BulkOrder;
  readonly source: Account | undefined;
  readonly terms: RailTerms;
}

const item: BulkItemOrder = { amount: minor(100n), currency: "IDR", bankCode: "014" };

const sound: Case = {
  order: {
    id: "bulk",
    partner,
    feeType: "BEN",
    items: [item, item, item, item],
    now,
    day,
    suspensePart: 7,
    suspenseId: "suspense",
  },
  source: account("1", { balance: minor(1_000n), version: 3 }),
  terms,
};

type Spoil = (of: Case, position: number) => Case;

const items =
  (changes: Partial<BulkItemOrder>): Spoil =>
  (of, position) => ({ ...of, order: { ...of.order, items: of.order.items.with(position, { ...item, ...changes }) } });
const source =
  (changes: Partial<Account>): Spoil =>
  (of) => ({ ...of, source: of.source && { ...of.source, ...changes } });
const limits =
  (changes: Account["limits"]): Spoil =>
  (of, position) =>
    source({ limits: { ...of.source?.limits, ...changes }, dailyUse: { day, total: minor(950n), count: 3 } })(
      of,
      position,
    );

interface Row {
  readonly name: string;
  readonly spoil: Spoil;
  readonly rejection: RejectionKind;
  /** Field of the request; or of the item, whose position goes before it. */
  readonly field?: string;
  readonly itemField?: "bankCode" | "amount.currency" | "amount.value";
  /** The first item with this or the next row is named: one check finds both. */
  readonly sharesCheck?: true;
}

const from = "sourceAccountNo";
const value = { itemField: "amount.value" } as const;

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
    name: "no such bank",
    spoil: items({ bankCode: "777" }),
    rejection: "bankUnknown",
    itemField: "bankCode",
    sharesCheck: true,
  },
  { name: "our own bank", spoil: items({ bankCode: "999" }), rejection: "ownBank", itemField: "bankCode" },
  {
    name: "another currency",
    spoil: items({ currency: "USD" }),
    rejection: "currencyMismatch",
    itemField: "amount.currency",
  },
  { name: "source closed", spoil: source({ status: "closed" }), rejection: "accountInactive", field: from },
  { name: "source blocked", spoil: source({ status: "blocked" }), rejection: "accountInactive", field: from },
  { name: "source dormant", spoil: source({ status: "dormant" }), rejection: "accountDormant", field: from },
  {
    name: "rail closed",
    spoil: (of) => ({ ...of, terms: { ...of.terms, hours: { from: 390, to: 600 } } }),
    rejection: "railClosed",
    field: "06:30",
  },
  { name: "nothing", spoil: items({ amount: minor(0n) }), rejection: "amountTooSmall", ...value, sharesCheck: true },
  {
    name: "below the rail's minimum",
    spoil: items({ amount: minor(9n) }),
    rejection: "belowMinimum",
    ...value,
    sharesCheck: true,
  },
  { name: "over the rail's maximum", spoil: items({ amount: minor(501n) }), rejection: "overRailLimit", ...value },
  { name: "no more than its fee", spoil: items({ amount: minor(25n) }), rejection: "feeTooLarge", ...value },
  {
    name: "over the limit of one",
    spoil: (of, position) => limits({ perTransaction: minor(100n) })(items({ amount: minor(101n) })(of, position), 0),
    rejection: "overTransactionLimit",
    ...value,
  },
  { name: "too many today", spoil: limits({ dailyCount: 6 }), rejection: "tooManyInPeriod" },
  { name: "over the limit of a day", spoil: limits({ daily: minor(1_349n) }), rejection: "overDailyLimit" },
  { name: "no funds", spoil: source({ balance: minor(399n) }), rejection: "insufficientFunds" },
  { name: "funds held", spoil: source({ held: minor(601n) }), rejection: "insufficientFunds" },
  { name: "below the minimumBalance", spoil: source({ minimumBalance: minor(601n) }), rejection: "insufficientFunds" },
];

function decide({ order, source: debited, terms: rail }: Case) {
  const rails: RailData["rails"] = { interbank: rail, rtgs: { ...rail, name: "rtgs" }, skn: { ...rail, name: "skn" } };
  const banks = new Map([[bank.code, bank]]);
  return decideBulk(order, debited, undefined, { rails, holidays: new Set(), banks, ownBankCode: "999" });
}

function rejectionOf({ rejection: kind, field, itemField }: Row, position: number) {
  const path = itemField === undefined ? field : `bulkObject[${position}].${itemField}`;
  return { kind: "rejection", rejection: path === undefined ? { kind } : { kind, field: path } };
}

for (const [index, row] of rows.entries()) {
  test(`${row.name}: ${row.rejection}, of the first item it applies to`, () => {
    assert.deepEqual(decide(row.spoil(sound, 1)), rejectionOf(row, 1));
    assert.deepEqual(decide(row.spoil(row.spoil(sound, 3), 2)), rejectionOf(row, 2));
  });

  test(`${row.name} comes before everything further down, also of an earlier item`, () => {
    const shared = rows.slice(index).findIndex(({ sharesCheck }) => !sharesCheck);
    for (const later of rows.slice(index + 1 + shared)) {
      // Applied last, the earlier fault stands where both change the same thing.
      const spoiled = row.spoil(later.spoil(sound, 0), 2);
      assert.deepEqual(decide(spoiled), rejectionOf(row, 2), `together with: ${later.name}`);
    }
  });
}

// Orders that are just allowed: 4 items of 100 each, of which the beneficiaries bear the fees.
const allowed: readonly (readonly [string, Spoil])[] = [
  ["the whole balance", source({ balance: minor(400n) })],
  ["down to the minimumBalance", source({ minimumBalance: minor(600n) })],
  ["beside what is held", source({ held: minor(600n) })],
  ["exactly the limit of one", limits({ perTransaction: minor(100n) })],
  ["the last of the day", limits({ dailyCount: 7, daily: minor(1_350n) })],
  ["a unit more than its fee", items({ amount: minor(26n) })],
];

for (const [name, change] of allowed) {
  test(`${name} goes through`, () => assert.equal(decide(change(sound, 0)).kind, "effect"));
}

test("funds must cover the fees that the sender bears, and the daily limit counts the amounts alone", () => {
  const ours = { ...sound, order: { ...sound.order, feeType: "OUR" as const } };
  const daily = limits({ daily: minor(1_350n) })(ours, 0);
  assert.equal(decide(source({ balance: minor(500n) })(daily, 0)).kind, "effect");
  assert.deepEqual(decide(source({ balance: minor(499n) })(daily, 0)), {
    kind: "rejection",
    rejection: { kind: "insufficientFunds" },
  });
});

const feeTypes: readonly (FeeType | undefined)[] = [undefined, "OUR", "BEN", "SHA", "1000"];

test("whoever bears the fees: debited is what all items send and all their fees, in one posting; nothing is lost", () => {
  const anyItem = fc.bigInt(26n, 500n).map((amount): BulkItemOrder => ({ ...item, amount: minor(amount) }));
  fc.assert(
    fc.property(
      fc.array(anyItem, { minLength: 1, maxLength: 40 }),
      fc.constantFrom(...feeTypes),
      fc.bigInt(0n, 25n),
      (some, feeType, fee) => {
        const rich = source({ balance: minor(100_000n), dailyUse: { day, total: minor(7n), count: 2 } })(sound, 0);
        const decision = decide({
          ...rich,
          order: { ...sound.order, items: some, feeType },
          terms: { ...terms, fee: minor(fee) },
        });
        assert.ok(decision.kind === "effect");
        const splits = some.map(({ amount }) => splitFee({ ...terms, fee: minor(fee), amount, feeType }));
        const sum = (part: "sentAmount" | "sender") =>
          splits.reduce((total, split) => total + (split.kind === "split" ? split[part] : assert.fail()), 0n);
        const amount = some.reduce((total, one) => total + one.amount, 0n);
        const count = BigInt(some.length);
        const { newBulks, postings, newAccounts, dailyUses } = decision.effect;
        const [suspense] = newAccounts;
        assert.deepEqual(postings, [
          { kind: "submission", from: account("1").id, to: suspense?.id, amount: amount + sum("sender") },
        ]);
        assert.equal(amount + sum("sender"), sum("sentAmount") + count * fee);
        const [bulk] = newBulks;
        assert.deepEqual([bulk?.amount, bulk?.fee, bulk?.itemCount], [amount, count * fee, some.length]);
        assert.deepEqual(dailyUses, [
          { account: account("1").id, use: { day, total: amount + 7n, count: some.length + 2 } },
        ]);
      },
    ),
  );
});
