/** Capture (65), void (67) and refund (69) as spec D10 has them: on which hold, how much, and rejections. */
import { sum } from "../../support/ledger-model.ts";
import { type ChangeName, writeFields } from "../write-fields.ts";
import {
  accountOf,
  captured,
  findHold,
  hasLapsed,
  heldOn,
  type HoldState,
  lacksToken,
  matches,
  minorOf,
  type ModelCall,
  type ModelCapture,
  type ModelHold,
  type Money,
  moneyOf,
  move,
  refunded,
  refundedOf,
  remaining,
} from "./hold-state.ts";
import type { Rejection } from "./payments.ts";

/** A call on the hold that it names, with the amount in minor units that it requests or that applies. */
interface OnHold {
  readonly call: ModelCall;
  readonly hold: ModelHold;
  readonly amount: bigint;
  readonly now: number;
}

interface ChangeTerms {
  /** Amount that applies where the call has none. */
  available(hold: ModelHold, call: ModelCall, now: number): bigint;
  reject(state: HoldState, onHold: OnHold): Rejection | undefined;
  apply(state: HoldState, onHold: OnHold, no: string): void;
  /** Account its money is for; none where it moves none. */
  beneficiary(hold: ModelHold): string | undefined;
}

export interface Change extends Pick<ChangeTerms, "beneficiary"> {
  /** Amount that it would take; 0 where there is no hold. */
  amount(state: HoldState, call: ModelCall, now: number): Money;
  reject(state: HoldState, call: ModelCall, now: number): Rejection | undefined;
  /** Applies a call that is not rejected, under our given number. */
  apply(state: HoldState, call: ModelCall, now: number, no: string): void;
}

function change(name: ChangeName, { available, reject, apply, beneficiary }: ChangeTerms): Change {
  const field = writeFields[name].amount;
  const amountOf = (state: HoldState, call: ModelCall, now: number) => {
    const requested = call.request[field] as Money | undefined;
    if (requested) return moneyOf(minorOf(requested), requested.currency);
    const hold = findHold(state, call);
    return hold ? moneyOf(available(hold, call, now), hold.currency) : moneyOf(0n, "IDR");
  };
  return {
    amount: amountOf,
    reject: (state, call, now) => {
      const hold = findHold(state, call);
      if (!hold || !matches(hold, call)) return { case: "transactionNotFound" };
      const { customerAccountNo = hold.payer } = call;
      if (customerAccountNo !== hold.payer) return { case: "transactionNotFound" };
      if (lacksToken(state, hold, call)) return { case: "customerTokenNotFound" };
      if (namesCapture(call) && capturesFor(hold, call).length === 0) return { case: "transactionNotFound" };
      const money = amountOf(state, call, now);
      if (money.currency !== hold.currency) return { case: "invalidFieldFormat", field: `${field}.currency` };
      return reject(state, { hold, call, amount: minorOf(money), now });
    },
    apply: (state, call, now, no) => {
      const hold = findHold(state, call);
      if (!hold) throw new Error("the model applies what it rejects");
      apply(state, { hold, call, amount: minorOf(amountOf(state, call, now)), now }, no);
    },
    beneficiary,
  };
}

/** Rejects captures and voids; `count`: how many the hold has. */
function rejectTaking(state: HoldState, { hold, call, amount, now }: OnHold, count: number): Rejection | undefined {
  const left = remaining(hold, now);
  if (left === 0n) return { case: "invalidTransactionStatus" };
  if (amount === 0n) return { case: "invalidAmount" };
  if (call.request["voidRemainingAmount"] === "true" && amount !== left) return { case: "invalidAmount" };
  if (amount > left) return { case: "exceedsTransactionAmountLimit" };
  return count >= state.eventsMax ? { case: "activityCountLimitExceeded" } : undefined;
}

const capture = change("authCapture", {
  available: (hold, _, now) => remaining(hold, now),
  reject: (state, onHold) => rejectTaking(state, onHold, onHold.hold.captures.length),
  apply: (state, { hold, call, amount, now }, no) => {
    hold.captures.push({ no, amount, refunds: [] });
    const left = remaining(hold, now);
    if (call.request["lastCapture"] === "true" && left > 0n) hold.releases.push(left);
    move(state, hold.payer, hold.settlement, amount);
  },
  beneficiary: (hold) => hold.settlement,
});

const release = change("authVoid", {
  available: (hold, _, now) => remaining(hold, now),
  reject: (state, onHold) => rejectTaking(state, onHold, onHold.hold.voidCalls),
  apply: (_, { hold, amount }) => {
    hold.releases.push(amount);
    hold.voidCalls += 1;
  },
  beneficiary: () => undefined,
});

const namesCapture = ({ request }: ModelCall) => request["originalCaptureNo"] !== undefined;

/** Captures a refund may give back from: the named one, else all, the oldest first. */
function capturesFor(hold: ModelHold, call: ModelCall): readonly ModelCapture[] {
  return hold.captures.filter(({ no }) => !namesCapture(call) || no === call.request["originalCaptureNo"]);
}

const refundable = (hold: ModelHold, call: ModelCall) =>
  sum(capturesFor(hold, call).map((one) => one.amount - refundedOf(one)));

const refund = change("authRefund", {
  available: refundable,
  reject: (state, { hold, call, amount, now }) => {
    if (hasLapsed(hold, now) && !namesCapture(call))
      return { case: "invalidMandatoryField", field: "originalCaptureNo" };
    const isOver = remaining(hold, now) === 0n && refunded(hold) === captured(hold);
    if (captured(hold) === 0n || isOver) return { case: "invalidTransactionStatus" };
    if (call.request["refundAmount"] && amount === 0n) return { case: "invalidAmount" };
    if (amount === 0n || amount > refundable(hold, call)) return { case: "exceedsTransactionAmountLimit" };
    if (hold.refundCalls >= state.eventsMax) return { case: "activityCountLimitExceeded" };
    const { balance } = accountOf(state, hold.settlement);
    return amount > balance - heldOn(state, hold.settlement) ? { case: "insufficientFunds" } : undefined;
  },
  apply: (state, { hold, call, amount }) => {
    let owed = amount;
    for (const one of capturesFor(hold, call)) {
      const open = one.amount - refundedOf(one);
      const part = open < owed ? open : owed;
      if (part > 0n) one.refunds.push(part);
      owed -= part;
    }
    hold.refundCalls += 1;
    move(state, hold.settlement, hold.payer, amount);
  },
  beneficiary: (hold) => hold.payer,
});

export const changes = { authCapture: capture, authVoid: release, authRefund: refund };
