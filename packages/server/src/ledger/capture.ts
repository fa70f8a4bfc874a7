/** Charging a hold (65), in full or in parts: decided and final at once (decision D10). */
import type { Account } from "./account.ts";
import { type Hold, type HoldChange, type HoldLine, holdAt, remaining } from "./hold.ts";
import { mayHappen } from "./hold-states.ts";
import { type Minor, minor } from "./money.ts";
import type { Movement } from "./movement.ts";
import { type Decision, refuse } from "./refusal.ts";
import { destinationOf, type OwnAccounts } from "./unclaimed.ts";

export interface CaptureOrder {
  /** Absent: all that remains. */
  readonly amount?: { readonly amount: Minor; readonly currency: string } | undefined;
  /** Whether what is left after it is released. */
  readonly isLast: boolean;
  /** Business time (epoch ms). */
  readonly now: number;
  /** How many captures one hold may have. */
  readonly most: number;
}

export interface CaptureEffect {
  readonly amount: Minor;
  /** Where it went. */
  readonly to: Account;
  readonly holds: readonly HoldChange[];
  readonly movements: readonly Movement[];
  readonly opens: readonly Account[];
}

/** The hold is the caller's own. The merchant is paid whatever became of its account meanwhile (decision D9). */
export function decideCapture(
  { amount: asked, isLast, now, most }: CaptureOrder,
  hold: Hold,
  settlement: Account,
  own: OwnAccounts,
): Decision<CaptureEffect> {
  if (asked && asked.currency !== hold.currency) return refuse("currencyMismatch", "captureAmount.currency");
  if (!mayHappen(holdAt(hold, now), "capture")) return refuse("wrongState");
  const rest = remaining(hold);
  const amount = asked?.amount ?? rest;
  if (amount === 0n) return refuse("amountTooSmall");
  if (amount > rest) return refuse("overRemaining");
  if (hold.captures >= most) return refuse("tooManyOnHold");
  const released = minor(isLast ? rest - amount : 0n);
  const captured: HoldLine = { kind: "capture", amount };
  const { account: to, opens } = destinationOf(settlement, amount, own);
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
      movements: [{ kind: "capture", from: hold.payer, to: to.id, amount }],
      opens,
    },
  };
}
