/**
 * A bulk (20): many transfers over the interbank rail, accepted as a whole. Amounts and fees of all items are on the rail's
 * suspense account from its acceptance on; each item has its own result (spec D13).
 */
import { type Minor, zero } from "../money.ts";
import type { RailName } from "../rails/terms.ts";

/** The rail that carries the items. */
export const bulkRail = "interbank" satisfies RailName;

/** Terms with which a bulk was accepted; none of them ever changes. */
export interface BulkTerms {
  /** Id of the command that accepted it; its `bulkId` is made of it. */
  readonly id: string;
  /** Internal id of the partner. */
  readonly partner: string;
  /** Account id of the payer. */
  readonly source: string;
  readonly currency: string;
  readonly itemCount: number;
  /** Sum of the requested amounts. */
  readonly amount: Minor;
  /** Sum of the fees, whoever bears them. */
  readonly fee: Minor;
  /** Business time at which it was accepted (epoch ms). */
  readonly at: number;
}

export interface Bulk extends BulkTerms {
  /** Items that have settled; some of them may be returned since. */
  readonly settledCount: number;
  readonly rejectedCount: number;
  readonly returnedCount: number;
  /** Requested amounts and fees of rejected items: both are back with the payer. */
  readonly rejectedAmount: Minor;
  readonly rejectedFee: Minor;
  /** Business time at which the last item had its result (epoch ms); absent: some are pending. */
  readonly endedAt?: number | undefined;
  /** Number of changes so far. */
  readonly version: number;
}

export function openCount({ itemCount, settledCount, rejectedCount }: Bulk): number {
  return itemCount - settledCount - rejectedCount;
}

/** A bulk as it is accepted: no item has a result. */
export function newBulk(terms: BulkTerms): Bulk {
  return {
    ...terms,
    settledCount: 0,
    rejectedCount: 0,
    returnedCount: 0,
    rejectedAmount: zero,
    rejectedFee: zero,
    version: 0,
  };
}
