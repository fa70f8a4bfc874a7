/** Auth refund (69): refunds one capture, or the oldest captures first (spec D10). */
import type { Account } from "../accounts/account.ts";
import { rejectFunds } from "../accounts/debit.ts";
import {
  type Capture,
  type Hold,
  type HoldEvent,
  type HoldOrder,
  type HoldPaymentEffect,
  hasLapsed,
  holdAt,
} from "./hold.ts";
import { mayHappen } from "./states.ts";
import { type Minor, minor } from "../money.ts";
import { type Decision, reject } from "../rejection.ts";
import { destinationOf, type InternalAccounts } from "../accounts/unapplied-funds.ts";

export interface RefundOrder extends HoldOrder {
  /** Command id of the capture to refund. */
  readonly captureId?: string | undefined;
}

/** The hold belongs to the caller; captures: those that can be refunded, or the named one. */
interface RefundedHold {
  readonly hold: Hold;
  readonly captures: readonly Capture[];
  readonly payer: Account;
  readonly settlement: Account;
  /** Nothing can be refunded any more; where its events are detached, nobody can say whether a capture is its own. */
  readonly closed?: { readonly areEventsDetached: boolean };
}

/** The merchant's settlement account pays; only its available balance limits it (spec D9). */
export function decideRefund(
  { amount: asked, captureId, now, countMax: refundsMax }: RefundOrder,
  { hold, captures, payer, settlement, closed }: RefundedHold,
  internalAccounts: InternalAccounts,
): Decision<HoldPaymentEffect> {
  const from = capturesOf(captures, captureId);
  const isNotOfHold = captureId !== undefined && from.length === 0 && closed?.areEventsDetached !== true;
  if (isNotOfHold) return reject("referencesDisagree");
  if (asked && asked.currency !== hold.currency) return reject("currencyMismatch", "refundAmount.currency");
  const present = holdAt(hold, now);
  if (hasLapsed(present) && captureId === undefined) return reject("captureNotNamed", "originalCaptureNo");
  if (!mayHappen(present, "refund")) return reject("wrongState");
  const inTime = inWindow(from, now);
  if (closed || (inTime.length === 0 && from.length > 0)) return reject("refundWindowClosed");
  const available = refundableOf(inTime);
  const amount = asked?.amount ?? available;
  if (asked?.amount === 0n) return reject("amountTooSmall");
  if (amount === 0n || amount > available) return reject("overRefundable");
  if (hold.refunds >= refundsMax) return reject("tooManyOnHold");
  const short = rejectFunds(amount, settlement);
  if (short) return short;
  const { account: to, newAccounts } = destinationOf(payer, amount, internalAccounts);
  const refunded = { ...hold, refunded: minor(hold.refunded + amount), refunds: hold.refunds + 1 };
  return {
    kind: "effect",
    effect: {
      amount,
      to,
      holds: [{ hold: refunded, events: refundEvents(inTime, amount) }],
      postings: [{ kind: "refund", from: settlement.id, to: to.id, amount }],
      newAccounts,
    },
  };
}

/** Amount that can be refunded: of the named capture, else of all. Zero where there is no such capture. */
export function refundable(captures: readonly Capture[], captureId: string | undefined, now: number): Minor {
  return refundableOf(inWindow(capturesOf(captures, captureId), now));
}

function refundableOf(captures: readonly Capture[]): Minor {
  return minor(captures.reduce((sum, { amount, refunded }) => sum + amount - refunded, 0n));
}

function inWindow(captures: readonly Capture[], now: number): readonly Capture[] {
  return captures.filter(({ refundUntil }) => now < refundUntil);
}

function capturesOf(captures: readonly Capture[], captureId: string | undefined): readonly Capture[] {
  return captureId === undefined ? captures : captures.filter((capture) => capture.id === captureId);
}

/** One event for each refunded capture, oldest first. */
function refundEvents(captures: readonly Capture[], amount: Minor): readonly HoldEvent[] {
  const events: HoldEvent[] = [];
  let left: bigint = amount;
  for (const { sequence, amount: captured, refunded } of captures) {
    const open = captured - refunded;
    const part = open < left ? open : left;
    if (part > 0n) events.push({ kind: "refund", amount: minor(part), captureSequence: sequence });
    left -= part;
  }
  return events;
}
