/**
 * Money moves only as postings: one amount from one account to another in one currency.
 * A journal is the postings of one command; each becomes a debit entry and a credit entry, so it balances by shape.
 */
import type { Minor } from "./money.ts";

/** Reasons why money moved. The numbers are stored: never renumber, only add. */
export const postingKinds = {
  funding: 1,
  transfer: 2,
  capture: 3,
  refund: 4,
  /** To the rail's suspense account; then settled with its fee, or reversed. */
  submission: 5,
  settlement: 6,
  fee: 7,
  reversal: 8,
  return: 9,
  /** Back to the funding account. */
  withdrawal: 10,
  correction: 11,
  /** Between accounts of our own. */
  move: 12,
  /** To the payee, of what the payer's cell has debited. */
  transit: 13,
  /** A merchant's money, to its account in another cell. */
  sweep: 14,
  /** Payments to another cell that this one has lost by a restore, and that cell has: restored funds pay. */
  adoption: 15,
  /** Money on an account that has moved, to the cell that it is in. */
  relocation: 16,
} as const;

export type PostingKind = keyof typeof postingKinds;

export interface Posting {
  readonly kind: PostingKind;
  /** Account id debited. */
  readonly from: string;
  /** Account id credited. */
  readonly to: string;
  /** More than zero. */
  readonly amount: Minor;
}
