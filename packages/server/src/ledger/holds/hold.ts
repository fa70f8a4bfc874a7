/**
 * A hold: money reserved on a payer's account for one merchant (spec D10). It lowers the available balance, not the
 * ledger balance. Always: captured + voided + expired + remaining = held, and refunded <= captured, per capture.
 */
import type { Account } from "../accounts/account.ts";
import { type Minor, minor } from "../money.ts";
import type { Posting } from "../posting.ts";

/** Immutable terms of a hold. */
export interface HoldTerms {
  /** Id of the command that placed it; its reference number is made of it. */
  readonly id: string;
  /** Internal id of the partner who asked. */
  readonly partner: string;
  readonly partnerReferenceNo: string;
  readonly merchantId: string;
  readonly subMerchantId?: string;
  readonly externalStoreId?: string;
  /** Account ids: who pays, and where captured money goes. */
  readonly payer: string;
  readonly settlement: string;
  readonly currency: string;
  readonly held: Minor;
  /** Business time from which it has expired (epoch ms). */
  readonly expiresAt: number;
  /** Business time at which it was placed (epoch ms). */
  readonly at: number;
}

/** Sums so far, in minor units. */
export interface HoldSums {
  readonly held: Minor;
  readonly captured: Minor;
  readonly voided: Minor;
  readonly expired: Minor;
  readonly refunded: Minor;
}

export interface Hold extends HoldTerms, HoldSums {
  /** Number of captures so far; a limit stands on each kind. */
  readonly captures: number;
  readonly voids: number;
  readonly refunds: number;
  /** Number of events so far: the sequence of the last one. */
  readonly eventCount: number;
}

/** Events of a hold. The numbers are stored: never renumber, only add. */
export const holdEventKinds = { capture: 1, void: 2, expiry: 3, refund: 4 } as const;

export type HoldEventKind = keyof typeof holdEventKinds;

/** A new event; a refund has one for each capture it refunds. */
export interface HoldEvent {
  readonly kind: HoldEventKind;
  /** More than zero. */
  readonly amount: Minor;
  /** Sequence of the capture that a refund refunds. */
  readonly captureSequence?: number;
  /** End of the time in which a capture may be refunded (business time, epoch ms). */
  readonly refundUntil?: number;
}

/** Default where the merchant says nothing, and for captures that were made before merchants could. */
export const defaultRefundDays = 365;

/** A capture as refunds see it. */
export interface Capture {
  /** Its number among the events of the hold: captures are refunded in this order. */
  readonly sequence: number;
  /** Id of the command that captured; its capture number is made of it. */
  readonly id: string;
  readonly amount: Minor;
  readonly refunded: Minor;
  /** Until when it may be refunded (business time, epoch ms): as its merchant had it when it was made. */
  readonly refundUntil: number;
}

/** A hold as an effect leaves it, and the events that changed it. */
export interface HoldChange {
  readonly hold: Hold;
  readonly events: readonly HoldEvent[];
}

/** A capture, void or refund to decide. */
export interface HoldOrder {
  /** Absent: all there is. */
  readonly amount?: { readonly amount: Minor; readonly currency: string } | undefined;
  /** Business time (epoch ms). */
  readonly now: number;
  /** Largest number of its kind that one hold may have. */
  readonly countMax: number;
}

/** A capture or refund: what it moves, and the account `to` that gets it. */
export interface HoldPaymentEffect {
  readonly amount: Minor;
  readonly to: Account;
  readonly holds: readonly HoldChange[];
  readonly postings: readonly Posting[];
  readonly newAccounts: readonly Account[];
}

export function placeHold(terms: HoldTerms): Hold {
  const none = minor(0n);
  const sums = { captured: none, voided: none, expired: none, refunded: none };
  return { ...terms, ...sums, captures: 0, voids: 0, refunds: 0, eventCount: 0 };
}

/** Amount that may still be captured or voided by the recorded sums, whether or not the hold has expired by now. */
export function remaining({ held, captured, voided, expired }: HoldSums): Minor {
  return minor(held - captured - voided - expired);
}

/**
 * The hold at a business time: past its expiry the remainder counts as expired, also before the job has recorded it.
 */
export function holdAt<Of extends Hold>(hold: Of, now: number): Of {
  const rest = remaining(hold);
  if (now < hold.expiresAt || rest === 0n) return hold;
  return { ...hold, expired: minor(hold.expired + rest) };
}

/** True when it expired with captures and a remainder: a failed original (spec D10). */
export function hasLapsed({ expired, captured }: HoldSums): boolean {
  return expired > 0n && captured > 0n;
}
