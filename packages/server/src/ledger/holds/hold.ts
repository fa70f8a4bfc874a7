/**
 * A hold: money reserved on a payer's account for one merchant (spec D10). It lowers the available balance, not the
 * ledger balance. Always: captured + voided + expired + remaining = held, and refunded <= captured, per capture.
 */
import { type Minor, minor } from "../money.ts";

/** What a hold was placed with; none of it ever changes. */
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

/** What became of the money so far, in minor units. */
export interface HoldSums {
  readonly held: Minor;
  readonly captured: Minor;
  readonly voided: Minor;
  readonly expired: Minor;
  readonly refunded: Minor;
}

export interface Hold extends HoldTerms, HoldSums {
  /** How many there were so far; a limit stands on each. */
  readonly captures: number;
  readonly voids: number;
  readonly refunds: number;
  /** Number of lines so far; the next line's number is one more. */
  readonly lines: number;
}

/** What happened to a hold, one line each. The numbers are stored: never renumber, only add. */
export const holdEventKinds = { capture: 1, void: 2, expiry: 3, refund: 4 } as const;

export type HoldEventKind = keyof typeof holdEventKinds;

/** A line to add to a hold; a refund has one for each capture it gives back from. */
export interface HoldEvent {
  readonly kind: HoldEventKind;
  /** More than zero. */
  readonly amount: Minor;
  /** Of a refund: the line of the capture it gives back from. */
  readonly capture?: number;
}

/** A capture as refunds see it. */
export interface Capture {
  /** Its line on the hold: captures are refunded in this order. */
  readonly line: number;
  /** Id of the command that captured; its capture number is made of it. */
  readonly id: string;
  readonly amount: Minor;
  readonly refunded: Minor;
}

/** A hold as an effect leaves it, and the lines that say why. */
export interface HoldChange {
  readonly hold: Hold;
  readonly lines: readonly HoldEvent[];
}

export function placeHold(terms: HoldTerms): Hold {
  const none = minor(0n);
  const sums = { captured: none, voided: none, expired: none, refunded: none };
  return { ...terms, ...sums, captures: 0, voids: 0, refunds: 0, lines: 0 };
}

/** What may still be captured or voided, as far as is recorded: time is not looked at. */
export function remaining({ held, captured, voided, expired }: HoldSums): Minor {
  return minor(held - captured - voided - expired);
}

/**
 * The hold at a business time: one past its time has expired for everyone, whether it was swept already or not.
 * Sums only; what is written is the sweep's business.
 */
export function holdAt<Of extends Hold>(hold: Of, now: number): Of {
  const rest = remaining(hold);
  if (now < hold.expiresAt || rest === 0n) return hold;
  return { ...hold, expired: minor(hold.expired + rest) };
}

/** Whether it expired with captures made and a remainder left: what spec D10 calls a failed original. */
export function hasLapsed({ expired, captured }: HoldSums): boolean {
  return expired > 0n && captured > 0n;
}
