/** Auth void (67): releases the remainder of a hold, in full or in parts (spec D10). */
import { type Hold, type HoldOrder, type HoldPaymentEffect, holdAt, remaining } from "./hold.ts";
import { mayHappen } from "./states.ts";
import { minor } from "../money.ts";
import { type Decision, reject } from "../rejection.ts";

export interface VoidOrder extends HoldOrder {
  /** True: the request says that this is all that remains; an amount must then agree. */
  readonly isAll: boolean;
}

/** The hold belongs to the caller. */
export function decideVoid(
  { amount: asked, isAll, now, countMax }: VoidOrder,
  hold: Hold,
): Decision<Pick<HoldPaymentEffect, "amount" | "holds">> {
  if (asked && asked.currency !== hold.currency) return reject("currencyMismatch", "voidAmount.currency");
  if (!mayHappen(holdAt(hold, now), "void")) return reject("wrongState");
  const rest = remaining(hold);
  const amount = asked?.amount ?? rest;
  if (amount === 0n) return reject("amountTooSmall");
  if (isAll && amount !== rest) return reject("amountDisagrees");
  if (amount > rest) return reject("overRemaining");
  if (hold.voids >= countMax) return reject("tooManyOnHold");
  const voided = { ...hold, voided: minor(hold.voided + amount), voids: hold.voids + 1 };
  return { kind: "effect", effect: { amount, holds: [{ hold: voided, events: [{ kind: "void", amount }] }] } };
}
