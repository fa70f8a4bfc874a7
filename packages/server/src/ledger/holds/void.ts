/** Releasing what a hold still holds (67), in full or in parts (spec D10). */
import { type Hold, type HoldChange, holdAt, remaining } from "./hold.ts";
import { mayHappen } from "./states.ts";
import { type Minor, minor } from "../money.ts";
import { type Decision, reject } from "../rejection.ts";

export interface VoidOrder {
  /** Absent: all that remains. */
  readonly amount?: { readonly amount: Minor; readonly currency: string } | undefined;
  /** Whether the caller says that this is all that remains: an amount must then agree. */
  readonly isAll: boolean;
  /** Business time (epoch ms). */
  readonly now: number;
  /** How many voids one hold may have. */
  readonly countMax: number;
}

export interface VoidEffect {
  readonly amount: Minor;
  readonly holds: readonly HoldChange[];
}

/** The hold is the caller's own. */
export function decideVoid({ amount: asked, isAll, now, countMax }: VoidOrder, hold: Hold): Decision<VoidEffect> {
  if (asked && asked.currency !== hold.currency) return reject("currencyMismatch", "voidAmount.currency");
  if (!mayHappen(holdAt(hold, now), "void")) return reject("wrongState");
  const rest = remaining(hold);
  const amount = asked?.amount ?? rest;
  if (amount === 0n) return reject("amountTooSmall");
  if (isAll && amount !== rest) return reject("amountDisagrees");
  if (amount > rest) return reject("overRemaining");
  if (hold.voids >= countMax) return reject("tooManyOnHold");
  const voided = { ...hold, voided: minor(hold.voided + amount), voids: hold.voids + 1 };
  return { kind: "effect", effect: { amount, holds: [{ hold: voided, lines: [{ kind: "void", amount }] }] } };
}
