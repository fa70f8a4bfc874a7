/** Giving captured money back (69): of one capture, or of the oldest captures first (spec D10). */
import type { Account } from "../accounts/account.ts";
import { rejectFunds } from "../accounts/debit.ts";
import { type Capture, type Hold, type HoldChange, type HoldEvent, hasLapsed, holdAt } from "./hold.ts";
import { mayHappen } from "./states.ts";
import { type Minor, minor } from "../money.ts";
import type { Posting } from "../posting.ts";
import { type Decision, reject } from "../rejection.ts";
import { destinationOf, type InternalAccounts } from "../accounts/unclaimed.ts";

export interface RefundOrder {
  /** Absent: all that can be refunded. */
  readonly amount?: { readonly amount: Minor; readonly currency: string } | undefined;
  /** Command id of the capture it names. */
  readonly captureId?: string | undefined;
  /** Business time (epoch ms). */
  readonly now: number;
  /** How many refunds one hold may have. */
  readonly countMax: number;
}

export interface RefundEffect {
  readonly amount: Minor;
  /** Where it went. */
  readonly to: Account;
  readonly holds: readonly HoldChange[];
  readonly postings: readonly Posting[];
  readonly newAccounts: readonly Account[];
}

/** What the refund is decided on: the caller's own hold, and its captures that can be refunded or are named. */
export interface RefundedHold {
  readonly hold: Hold;
  readonly captures: readonly Capture[];
  readonly payer: Account;
  readonly settlement: Account;
}

/** The merchant's settlement account pays, with its own limit and nothing else in its way (spec D9). */
export function decideRefund(
  { amount: asked, captureId, now, countMax: refundsMax }: RefundOrder,
  { hold, captures, payer, settlement }: RefundedHold,
  own: InternalAccounts,
): Decision<RefundEffect> {
  const from = capturesOf(captures, captureId);
  if (captureId !== undefined && from.length === 0) return reject("referencesDisagree");
  if (asked && asked.currency !== hold.currency) return reject("currencyMismatch", "refundAmount.currency");
  const present = holdAt(hold, now);
  if (hasLapsed(present) && captureId === undefined) return reject("captureNotNamed", "originalCaptureNo");
  if (!mayHappen(present, "refund")) return reject("wrongState");
  const available = refundable(captures, captureId);
  const amount = asked?.amount ?? available;
  if (asked?.amount === 0n) return reject("amountTooSmall");
  if (amount === 0n || amount > available) return reject("overRefundable");
  if (hold.refunds >= refundsMax) return reject("tooManyOnHold");
  const short = rejectFunds(amount, settlement);
  if (short) return short;
  const { account: to, newAccounts } = destinationOf(payer, amount, own);
  const refunded = { ...hold, refunded: minor(hold.refunded + amount), refunds: hold.refunds + 1 };
  return {
    kind: "effect",
    effect: {
      amount,
      to,
      holds: [{ hold: refunded, lines: refundEvents(from, amount) }],
      postings: [{ kind: "refund", from: settlement.id, to: to.id, amount }],
      newAccounts,
    },
  };
}

/** What may be given back: of the named capture, else of all. Nothing, where the named one is none of them. */
export function refundable(captures: readonly Capture[], captureId: string | undefined): Minor {
  const from = capturesOf(captures, captureId);
  return minor(from.reduce((sum, { amount, refunded }) => sum + amount - refunded, 0n));
}

function capturesOf(captures: readonly Capture[], captureId: string | undefined): readonly Capture[] {
  return captureId === undefined ? captures : captures.filter((capture) => capture.id === captureId);
}

/** One line for each capture something is given back from, in their order. */
function refundEvents(captures: readonly Capture[], amount: Minor): readonly HoldEvent[] {
  const lines: HoldEvent[] = [];
  let left: bigint = amount;
  for (const { line, amount: captured, refunded } of captures) {
    const open = captured - refunded;
    const part = open < left ? open : left;
    if (part > 0n) lines.push({ kind: "refund", amount: minor(part), capture: line });
    left -= part;
  }
  return lines;
}
