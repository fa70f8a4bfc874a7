/** Captures, voids and refunds as spec D10 tells them: on which hold, how much, and what rejects them. */
import type { Rejection } from "./naive-payments.ts";
import {
  accountOf,
  captured,
  hasLapsed,
  heldOn,
  left,
  minorOf,
  type ModelCall,
  type ModelCapture,
  type ModelHold,
  type Money,
  moneyOf,
  move,
  reached,
  refunded,
  refundedOf,
  sum,
  type World,
} from "./naive-world.ts";

/** One of the three, as the model asks about it. */
export interface Change {
  /** What it would take; 0 where nothing would. */
  amount(world: World, call: ModelCall, now: number): Money;
  reject(world: World, call: ModelCall, now: number): Rejection | undefined;
  /** It is not rejected; its number is the given one. */
  carryOut(world: World, call: ModelCall, now: number, no: string): void;
  /** Account its money is meant for, if it moves any. */
  destination(hold: ModelHold): string | undefined;
}

const text = (call: ModelCall, name: string) => call.request[name] as string | undefined;
const money = (call: ModelCall, name: string) => call.request[name] as Money | undefined;

/** The partner's own hold that the call names; 69 names it by the partner's number, the others by ours. */
export function findHold(world: World, call: ModelCall): ModelHold | undefined {
  const own = world.holds.filter((hold) => hold.partner === call.partner);
  if (call.name === "authRefund") return own.find((hold) => hold.number === text(call, "originalPartnerReferenceNo"));
  return own.find((hold) => hold.no === text(call, "originalReferenceNo"));
}

/** Whether all that a call says of a hold is so. */
export function fits(hold: ModelHold, call: ModelCall): boolean {
  const said = {
    originalReferenceNo: hold.no,
    originalPartnerReferenceNo: hold.number,
    merchantId: hold.merchantId,
    subMerchantId: hold.subMerchantId,
    externalStoreId: hold.externalStoreId,
  };
  return Object.entries(said).every(([name, is]) => text(call, name) === undefined || text(call, name) === is);
}

export function lacksToken(world: World, hold: ModelHold, call: ModelCall): boolean {
  const merchant = world.merchants.get(`${hold.partner}/${hold.merchantId}`);
  return merchant?.needsToken === true && call.customerAccountNo === undefined;
}

function ownHold(world: World, call: ModelCall): ModelHold | Rejection {
  const hold = findHold(world, call);
  if (!hold || !fits(hold, call)) return { case: "transactionNotFound" };
  if (call.customerAccountNo !== undefined && call.customerAccountNo !== hold.payer) {
    return { case: "transactionNotFound" };
  }
  return lacksToken(world, hold, call) ? { case: "customerTokenNotFound" } : hold;
}

const isRejection = (found: ModelHold | Rejection): found is Rejection => "case" in found;

/** The asked amount, else what the given hold of the partner's offers. */
function amountOf(world: World, call: ModelCall, field: string, offered: (hold: ModelHold) => bigint): Money {
  const asked = money(call, field);
  if (asked) return moneyOf(minorOf(asked), asked.currency);
  const hold = findHold(world, call);
  return hold ? moneyOf(offered(hold), hold.currency) : moneyOf(0n, "IDR");
}

function holdOf(world: World, call: ModelCall): ModelHold {
  const found = findHold(world, call);
  if (!found) throw new Error("the model carries out what it rejects");
  return found;
}

export const capture: Change = {
  amount: (world, call, now) => amountOf(world, call, "captureAmount", (one) => left(one, now)),
  reject: (world, call, now) => {
    const own = ownHold(world, call);
    if (isRejection(own)) return own;
    const { value, currency } = capture.amount(world, call, now);
    if (currency !== own.currency) return { case: "invalidFieldFormat", field: "captureAmount.currency" };
    if (left(own, now) === 0n) return { case: "invalidTransactionStatus" };
    if (minorOf({ value, currency }) === 0n) return { case: "invalidAmount" };
    if (minorOf({ value, currency }) > left(own, now)) return { case: "exceedsTransactionAmountLimit" };
    return own.captures.length >= world.changesMax ? { case: "activityCountLimitExceeded" } : undefined;
  },
  carryOut: (world, call, now, no) => {
    const own = holdOf(world, call);
    const amount = minorOf(capture.amount(world, call, now));
    own.captures.push({ no, amount, refunds: [] });
    if (text(call, "lastCapture") === "true" && left(own, now) > 0n) own.releases.push(left(own, now));
    move(world, own.payer, own.settlement, amount);
  },
  destination: (own) => own.settlement,
};

export const release: Change = {
  amount: (world, call, now) => amountOf(world, call, "voidAmount", (one) => left(one, now)),
  reject: (world, call, now) => {
    const own = ownHold(world, call);
    if (isRejection(own)) return own;
    const asked = release.amount(world, call, now);
    const amount = minorOf(asked);
    if (asked.currency !== own.currency) return { case: "invalidFieldFormat", field: "voidAmount.currency" };
    if (left(own, now) === 0n) return { case: "invalidTransactionStatus" };
    if (amount === 0n) return { case: "invalidAmount" };
    if (text(call, "voidRemainingAmount") === "true" && amount !== left(own, now)) return { case: "invalidAmount" };
    if (amount > left(own, now)) return { case: "exceedsTransactionAmountLimit" };
    return own.voidCalls >= world.changesMax ? { case: "activityCountLimitExceeded" } : undefined;
  },
  carryOut: (world, call, now) => {
    const own = holdOf(world, call);
    own.releases.push(minorOf(release.amount(world, call, now)));
    own.voidCalls += 1;
  },
  destination: () => undefined,
};

/** Captures a refund may give back from: the named one, else all, the oldest first. */
function capturesFor(own: ModelHold, call: ModelCall): readonly ModelCapture[] {
  const named = text(call, "originalCaptureNo");
  return named === undefined ? own.captures : own.captures.filter(({ no }) => no === named);
}

const refundable = (own: ModelHold, call: ModelCall) =>
  sum(capturesFor(own, call).map((one) => one.amount - refundedOf(one)));

export const refund: Change = {
  amount: (world, call) => amountOf(world, call, "refundAmount", (one) => refundable(one, call)),
  reject: (world, call, now) => {
    const own = ownHold(world, call);
    if (isRejection(own)) return own;
    const isNamed = text(call, "originalCaptureNo") !== undefined;
    if (isNamed && capturesFor(own, call).length === 0) return { case: "transactionNotFound" };
    const asked = refund.amount(world, call, now);
    const amount = minorOf(asked);
    if (asked.currency !== own.currency) return { case: "invalidFieldFormat", field: "refundAmount.currency" };
    if (hasLapsed(own, now) && !isNamed) return { case: "invalidMandatoryField", field: "originalCaptureNo" };
    const isOver = left(own, now) === 0n && refunded(own) === captured(own);
    if (captured(own) === 0n || isOver) return { case: "invalidTransactionStatus" };
    if (money(call, "refundAmount") && amount === 0n) return { case: "invalidAmount" };
    if (amount === 0n || amount > refundable(own, call)) return { case: "exceedsTransactionAmountLimit" };
    if (own.refundCalls >= world.changesMax) return { case: "activityCountLimitExceeded" };
    const { balance } = accountOf(world, own.settlement);
    return amount > balance - heldOn(world, own.settlement) ? { case: "insufficientFunds" } : undefined;
  },
  carryOut: (world, call, now) => {
    const own = holdOf(world, call);
    const amount = minorOf(refund.amount(world, call, now));
    let owed = amount;
    for (const one of capturesFor(own, call)) {
      const open = one.amount - refundedOf(one);
      const part = open < owed ? open : owed;
      if (part > 0n) one.refunds.push(part);
      owed -= part;
    }
    own.refundCalls += 1;
    move(world, own.settlement, own.payer, amount);
  },
  destination: (own) => own.payer,
};

/** Whether the money of a call that is not rejected can only go to the unclaimed account. */
export function isUnapplied(world: World, call: ModelCall, change: Change): boolean {
  const to = change.destination(holdOf(world, call));
  return to !== undefined && reached(world, to) !== to;
}
