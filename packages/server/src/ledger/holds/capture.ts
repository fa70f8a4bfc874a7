/** Auth capture (65): charges a hold, in full or in parts (spec D10). */
import type { Account } from "../accounts/account.ts";
import { type Hold, type HoldEvent, type HoldOrder, type HoldPaymentEffect, holdAt, remaining } from "./hold.ts";
import { mayHappen } from "./states.ts";
import { minor } from "../money.ts";
import { type Decision, reject } from "../rejection.ts";
import { destinationOf, type InternalAccounts } from "../accounts/unapplied-funds.ts";

export interface CaptureOrder extends HoldOrder {
  /** True: the remainder is released. */
  readonly isLast: boolean;
  /** For how long it may be refunded (ms). */
  readonly refundMs: number;
}

/** The hold belongs to the caller. The merchant is paid whatever the state of its account (spec D9). */
export function decideCapture(
  { amount: asked, isLast, now, countMax, refundMs }: CaptureOrder,
  hold: Hold,
  settlement: Account,
  internalAccounts: InternalAccounts,
): Decision<HoldPaymentEffect> {
  if (asked && asked.currency !== hold.currency) return reject("currencyMismatch", "captureAmount.currency");
  if (!mayHappen(holdAt(hold, now), "capture")) return reject("wrongState");
  const rest = remaining(hold);
  const amount = asked?.amount ?? rest;
  if (amount === 0n) return reject("amountTooSmall");
  if (amount > rest) return reject("overRemaining");
  if (hold.captures >= countMax) return reject("tooManyOnHold");
  const released = minor(isLast ? rest - amount : 0n);
  const captured: HoldEvent = { kind: "capture", amount, refundUntil: now + refundMs };
  const { account: to, newAccounts } = destinationOf(settlement, amount, internalAccounts);
  return {
    kind: "effect",
    effect: {
      amount,
      to,
      holds: [
        {
          hold: {
            ...hold,
            captured: minor(hold.captured + amount),
            voided: minor(hold.voided + released),
            captures: hold.captures + 1,
          },
          events: released > 0n ? [captured, { kind: "void", amount: released }] : [captured],
        },
      ],
      postings: [{ kind: "capture", from: hold.payer, to: to.id, amount }],
      newAccounts,
    },
  };
}
