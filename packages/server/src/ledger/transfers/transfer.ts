/**
 * A transfer over a rail (18, 22, 23). What the payer pays is on the rail's suspense account until the rail's result:
 * then it settles (to the clearing account, the fee to the fee account) or returns (spec D11).
 */
import type { Minor } from "../money.ts";
import type { RailName } from "../rails/terms.ts";
import type { CallRejectionKind } from "../rejection.ts";
import type { TransferState } from "./states.ts";

/** Time after its commit in which an instruction may be submitted (ms). */
export const submissionValidMs = 5_000;

/** Largest difference between the clocks of two nodes that act on time (spec D10; ms). */
const clockToleranceMs = 5_000;

/** Immutable terms of a transfer. */
export interface RailTransferTerms {
  /** Id of the command that accepted it; its reference number is made of it. */
  readonly id: string;
  /** Internal id of the partner. */
  readonly partner: string;
  /** Service code as a number. */
  readonly service: number;
  readonly rail: RailName;
  /** Account id of the payer. */
  readonly source: string;
  readonly currency: string;
  /** Part of the rail's suspense account that holds its money while it is pending: from 0. */
  readonly suspensePart: number;
  /** Id of its bulk (20). */
  readonly bulk?: string | undefined;
  /** Amount that reaches the beneficiary's bank. */
  readonly sentAmount: Minor;
  /** The payer pays `sentAmount + fee`. */
  readonly fee: Minor;
  /** Amount that counts towards the payer's daily limit, beside its business day. */
  readonly dailyLimitAmount: Minor;
  readonly businessDate: number;
  /** Business time at which it was accepted (epoch ms). */
  readonly at: number;
}

/** Reporter of a result. */
export type ResultSource = "rail" | "operator";

export interface RailTransfer extends RailTransferTerms {
  readonly state: TransferState;
  /** The rail's own number of it. */
  readonly traceNo?: string | undefined;
  /** Reason why the rail did not carry it: a rejection kind. */
  readonly rejection?: CallRejectionKind | undefined;
  /** True: its result was the first response to its call, instead of 202. */
  readonly isResolvedSynchronously: boolean;
  /** Source of its settlement or rejection. */
  readonly resolvedBy?: ResultSource | undefined;
  /** Source of its return. */
  readonly returnedBy?: ResultSource | undefined;
  /** Journals (command ids) of its end and of its return. */
  readonly resolutionJournalId?: string | undefined;
  readonly returnJournalId?: string | undefined;
  /**
   * Business time (epoch ms) of the commit of its last submission; accepting it is the first. 0 once the rail has
   * acknowledged it: then no instruction is on its way.
   */
  readonly submittedAt: number;
  /** Number of claims by reconciliation. */
  readonly inquiryCount: number;
  /** Number of changes so far. */
  readonly version: number;
}

export function acceptTransfer(terms: RailTransferTerms): RailTransfer {
  return {
    ...terms,
    state: "submitted",
    isResolvedSynchronously: false,
    submittedAt: terms.at,
    inquiryCount: 0,
    version: 0,
  };
}

/**
 * From when on (business time) an operator may reject it: before, an instruction that is on its way may still reach the
 * rail, and would be paid although the money was returned. A queued transfer has none on its way.
 */
export function rejectableFrom({ state, submittedAt }: RailTransfer): number {
  return state === "queued" ? -Infinity : submittedAt + submissionValidMs + clockToleranceMs;
}
