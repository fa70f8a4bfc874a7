/** Charging a hold (65), in full or in parts: decided and final at once (spec D10). */
import type { Account } from "../accounts/account.ts";
import { type Hold, type HoldChange, type HoldEvent, holdAt, remaining } from "./hold.ts";
import { mayHappen } from "./states.ts";
import { type Minor, minor } from "../money.ts";
import type { Posting } from "../posting.ts";
import { type Decision, reject } from "../rejection.ts";
import { destinationOf, type InternalAccounts } from "../accounts/unclaimed.ts";

export interface CaptureOrder {
  /** Absent: all that remains. */
  readonly amount?: { readonly amount: Minor; readonly currency: string } | undefined;
  /** Whether what is left after it is released. */
  readonly isLast: boolean;
  /** Business time (epoch ms). */
  readonly now: number;
  /** How many captures one hold may have. */
  readonly countMax: number;
}

export interface CaptureEffect {
  readonly amount: Minor;
  /** Where it went. */
  readonly to: Account;
  readonly holds: readonly HoldChange[];
  readonly postings: readonly Posting[];
  readonly newAccounts: readonly Account[];
}

/** The hold is the caller's own. The merchant is paid whatever became of its account meanwhile (spec D9). */
export function decideCapture(
  { amount: asked, isLast, now, countMax }: CaptureOrder,
  hold: Hold,
  settlement: Account,
  own: InternalAccounts,
): Decision<CaptureEffect> {
  if (asked && asked.currency !== hold.currency) return reject("currencyMismatch", "captureAmount.currency");
  if (!mayHappen(holdAt(hold, now), "capture")) return reject("wrongState");
  const rest = remaining(hold);
  const amount = asked?.amount ?? rest;
  if (amount === 0n) return reject("amountTooSmall");
  if (amount > rest) return reject("overRemaining");
  if (hold.captures >= countMax) return reject("tooManyOnHold");
  const released = minor(isLast ? rest - amount : 0n);
  const captured: HoldEvent = { kind: "capture", amount };
  const { account: to, newAccounts } = destinationOf(settlement, amount, own);
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
          lines: released > 0n ? [captured, { kind: "void", amount: released }] : [captured],
        },
      ],
      postings: [{ kind: "capture", from: hold.payer, to: to.id, amount }],
      newAccounts,
    },
  };
}
