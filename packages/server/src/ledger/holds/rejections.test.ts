// The decision tables of authorize, capture, void and refund: one row a rejection, in the documented order (spec D2, step
// 14). Every row is tried alone, and together with every later one: the first of two must be answered.
import assert from "node:assert/strict";
import { test } from "node:test";
import { account, partner } from "../../../../../test/engine/transfers.ts";
import type { Account } from "../accounts/account.ts";
import { type AuthorizationOrder, decideAuthorization, longestHoldMs, shortestHoldMs } from "./authorize.ts";
import { type CaptureOrder, decideCapture } from "./capture.ts";
import { type Capture, type Hold, placeHold } from "./hold.ts";
import { type Minor, minor } from "../money.ts";
import { rejectReferences } from "./references.ts";
import { decideRefund, type RefundOrder } from "./refund.ts";
import type { Decision, RejectionKind } from "../rejection.ts";
import { decideVoid, type VoidOrder } from "./void.ts";

const day = 20_778;
const now = 1_000_000;
const own = { find: () => undefined, newId: "opened" };
const idr = (amount: bigint) => ({ amount: minor(amount), currency: "IDR" });
const terms = {
  id: "hold",
  partner,
  partnerReferenceNo: "P-1",
  merchantId: "M-1",
  currency: "IDR",
  held: minor(100n),
  expiresAt: now + 86_400_000,
  at: now,
};

interface Row<Scene> {
  readonly name: string;
  readonly spoil: (scene: Scene) => Scene;
  readonly rejection: RejectionKind;
  /** Later rows that take this one's fault away: with them it makes no pair. */
  readonly mendedBy?: readonly string[];
}

/** Tries every row alone, and every pair of rows that can be together. */
function tryAll<Scene>(
  what: string,
  sound: Scene,
  rows: readonly Row<Scene>[],
  decide: (scene: Scene) => Decision<unknown>,
) {
  test(`${what}: what is sound is decided`, () => assert.equal(decide(sound).kind, "effect"));
  for (const [index, row] of rows.entries()) {
    test(`${what}: ${row.name}`, () => {
      assert.equal(rejectionOf(decide(row.spoil(sound))), row.rejection);
      for (const later of rows.slice(index + 1)) {
        if (row.mendedBy?.includes(later.name)) continue;
        const both = later.spoil(row.spoil(sound));
        assert.equal(rejectionOf(decide(both)), row.rejection, `before: ${later.name}`);
      }
    });
  }
}

function rejectionOf(decision: Decision<unknown>): string {
  return decision.kind === "rejection" ? decision.rejection.kind : decision.kind;
}

interface Authorization {
  readonly order: AuthorizationOrder;
  readonly payer: Account | undefined;
  readonly settlement: Account | undefined;
}

const payer = account("1", { balance: minor(1_000n) });
const settlement = account("2", { balance: minor(50n) });
const ask = (changes: Partial<AuthorizationOrder>) => (of: Authorization) => ({
  ...of,
  order: { ...of.order, ...changes },
});
const pays = (changes: Partial<Account>) => (of: Authorization) => ({
  ...of,
  payer: of.payer && { ...of.payer, ...changes },
});
const limited = (limits: Account["limits"]) => (of: Authorization) =>
  pays({ limits: { ...of.payer?.limits, ...limits }, dailyUse: { day, total: minor(950n), count: 3 } })(of);

tryAll<Authorization>(
  "authorize",
  { order: { ...terms, isNamedByPartner: true, day }, payer, settlement },
  [
    { name: "ends too soon", spoil: ask({ expiresAt: now + shortestHoldMs - 1 }), rejection: "validityOutOfRange" },
    { name: "ends too late", spoil: ask({ expiresAt: now + longestHoldMs + 1 }), rejection: "validityOutOfRange" },
    { name: "no settlement account", spoil: (of) => ({ ...of, settlement: undefined }), rejection: "unknownMerchant" },
    { name: "no payer", spoil: (of) => ({ ...of, payer: undefined }), rejection: "accountNotPermitted" },
    { name: "our own account pays", spoil: pays({ purpose: "suspense" }), rejection: "accountNotPermitted" },
    { name: "another partner's account", spoil: pays({ partners: ["another"] }), rejection: "accountNotPermitted" },
    { name: "the merchant pays itself", spoil: pays({ id: settlement.id }), rejection: "sameAccount" },
    { name: "another currency", spoil: ask({ currency: "USD" }), rejection: "currencyMismatch" },
    {
      name: "payer blocked",
      spoil: pays({ status: "blocked" }),
      rejection: "accountInactive",
      mendedBy: ["payer dormant"],
    },
    { name: "payer dormant", spoil: pays({ status: "dormant" }), rejection: "accountDormant" },
    {
      name: "settlement account closed",
      spoil: (of) => ({ ...of, settlement: of.settlement && { ...of.settlement, status: "closed" } }),
      rejection: "accountInactive",
    },
    { name: "zero", spoil: ask({ held: minor(0n) }), rejection: "amountTooSmall" },
    { name: "over its limit", spoil: limited({ perTransaction: minor(99n) }), rejection: "overTransactionLimit" },
    { name: "too often", spoil: limited({ dailyCount: 3 }), rejection: "tooManyInPeriod" },
    { name: "over the day", spoil: limited({ daily: minor(1_049n) }), rejection: "overDailyLimit" },
    { name: "held already", spoil: pays({ held: minor(901n) }), rejection: "insufficientFunds" },
  ],
  ({ order, payer: from, settlement: to }) => decideAuthorization(order, from, to),
);

/** An amount that is too large is not zero. */
const over = ["over the remainder", "more than was captured"];

const captured: Capture = { sequence: 1, id: "c", amount: minor(40n), refunded: minor(0n), refundUntil: now + 2 };
const hold: Hold = {
  ...placeHold({ ...terms, payer: payer.id, settlement: settlement.id }),
  captured: minor(40n),
  captures: 1,
  eventCount: 1,
};

interface Change<Order> {
  readonly order: Order;
  readonly hold: Hold;
  readonly settlement: Account;
}

const order =
  <Changes extends object>(changes: Changes) =>
  <Order>(of: Change<Order>): Change<Order> => ({ ...of, order: { ...of.order, ...changes } });
const held =
  (changes: Partial<Hold>) =>
  <Order>(of: Change<Order>): Change<Order> => ({ ...of, hold: { ...of.hold, ...changes } });
const amount =
  (value: bigint) =>
  <Order extends { readonly amount?: { readonly currency: string } | undefined }>(of: Change<Order>) =>
    order({ amount: { amount: minor(value), currency: of.order.amount?.currency ?? "IDR" } })(of);
const inDollar = <Order extends { readonly amount?: { readonly amount: Minor } | undefined }>(of: Change<Order>) =>
  order({ amount: { amount: of.order.amount?.amount ?? minor(1n), currency: "USD" } })(of);
const closed = held({ voided: minor(60n) });

tryAll<Change<CaptureOrder>>(
  "capture",
  { order: { amount: idr(10n), isLast: false, now, countMax: 5, refundMs: 1 }, hold, settlement },
  [
    { name: "another currency", spoil: inDollar, rejection: "currencyMismatch" },
    { name: "closed", spoil: closed, rejection: "wrongState" },
    { name: "past its time", spoil: held({ expiresAt: now }), rejection: "wrongState" },
    { name: "zero", spoil: amount(0n), rejection: "amountTooSmall", mendedBy: over },
    { name: "over the remainder", spoil: amount(61n), rejection: "overRemaining" },
    { name: "one too many", spoil: held({ captures: 5 }), rejection: "tooManyOnHold" },
  ],
  (of) => decideCapture(of.order, of.hold, of.settlement, own),
);

tryAll<Change<VoidOrder>>(
  "void",
  { order: { amount: idr(10n), isAll: false, now, countMax: 5 }, hold, settlement },
  [
    { name: "another currency", spoil: inDollar, rejection: "currencyMismatch" },
    { name: "closed", spoil: closed, rejection: "wrongState" },
    { name: "past its time", spoil: held({ expiresAt: now }), rejection: "wrongState" },
    { name: "zero", spoil: amount(0n), rejection: "amountTooSmall", mendedBy: over },
    { name: "not all, though it says so", spoil: order({ isAll: true }), rejection: "amountDisagrees" },
    { name: "over the remainder", spoil: amount(61n), rejection: "overRemaining" },
    { name: "one too many", spoil: held({ voids: 5 }), rejection: "tooManyOnHold" },
  ],
  (of) => decideVoid(of.order, of.hold),
);

tryAll<Change<RefundOrder>>(
  "refund",
  { order: { amount: idr(10n), now, countMax: 5 }, hold, settlement },
  [
    { name: "a capture that is not the hold's", spoil: order({ captureId: "x" }), rejection: "referencesDisagree" },
    { name: "another currency", spoil: inDollar, rejection: "currencyMismatch" },
    {
      name: "lapsed, and no capture named",
      spoil: held({ expiresAt: now }),
      rejection: "captureNotNamed",
      mendedBy: ["nothing captured"],
    },
    { name: "nothing captured", spoil: held({ captured: minor(0n) }), rejection: "wrongState" },
    { name: "outside its window", spoil: order({ now: now + 2 }), rejection: "refundWindowClosed" },
    { name: "zero", spoil: amount(0n), rejection: "amountTooSmall", mendedBy: over },
    { name: "more than was captured", spoil: amount(41n), rejection: "overRefundable" },
    { name: "one too many", spoil: held({ refunds: 5 }), rejection: "tooManyOnHold" },
    {
      name: "the merchant has not enough",
      spoil: (of) => ({ ...of, settlement: { ...of.settlement, balance: minor(9n) } }),
      rejection: "insufficientFunds",
    },
  ],
  (of) => decideRefund(of.order, { ...of, captures: [captured], payer }, own),
);

test("a hold is found only by its partner, and only when all that is said of it fits", () => {
  const full: Hold = { ...hold, subMerchantId: "S-1", externalStoreId: "E-1" };
  const said = {
    partner,
    id: "hold",
    partnerReferenceNo: "P-1",
    merchantId: "M-1",
    subMerchantId: "S-1",
    externalStoreId: "E-1",
  };
  assert.equal(rejectReferences(full, said), undefined);
  assert.equal(rejectReferences(full, { partner }), undefined);
  assert.equal(rejectReferences(undefined, said)?.rejection.kind, "originalNotFound");
  assert.equal(rejectReferences(full, { ...said, partner: "another" })?.rejection.kind, "originalNotFound");
  for (const name of ["id", "partnerReferenceNo", "merchantId", "subMerchantId", "externalStoreId"]) {
    assert.equal(rejectReferences(full, { ...said, [name]: "other" })?.rejection.kind, "referencesDisagree", name);
  }
  assert.equal(rejectReferences(hold, { partner, subMerchantId: "S-1" })?.rejection.kind, "referencesDisagree");
});

test("the shortest validity is compared in whole seconds, as requests give it", () => {
  const at = now + 999;
  const decide = (expiresAt: number) =>
    decideAuthorization({ ...terms, expiresAt, at, isNamedByPartner: true, day }, payer, settlement).kind;
  assert.equal(decide(now + shortestHoldMs), "effect");
  assert.equal(decide(now + shortestHoldMs - 1), "rejection");
  assert.equal(decide(at + longestHoldMs), "effect");
  assert.equal(decide(at + longestHoldMs + 1), "rejection");
});
