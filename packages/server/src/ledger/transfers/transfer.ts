/**
 * A transfer that leaves the bank (18, 22, 23). What is taken from the payer waits on the rail's suspense account until
 * the rail's result: then it settles (to the clearing account, the fee to the fee account) or returns (spec D11).
 */
import type { Minor } from "../money.ts";
import type { RailName } from "../rails/terms.ts";
import type { CallRejectionKind } from "../rejection.ts";
import type { TransferState } from "./states.ts";

/** How long after a commit an instruction may be handed over on the strength of it (ms). */
export const submissionValidMs = 5_000;

/** How far the clocks of two nodes may be apart that act on time (spec D10; ms). */
const clockToleranceMs = 5_000;

/** What a transfer was accepted with; none of it ever changes. */
export interface RailTransferTerms {
  /** Id of the command that accepted it; its reference number is made of it. */
  readonly id: string;
  /** Internal id of the partner who asked. */
  readonly partner: string;
  /** Service code as a number. */
  readonly service: number;
  readonly rail: RailName;
  /** Account id of the payer. */
  readonly source: string;
  readonly currency: string;
  /** What reaches the beneficiary's bank. */
  readonly sentAmount: Minor;
  /** What is charged altogether, whoever bears it; taken from the payer = sentAmount + fee. */
  readonly fee: Minor;
  /** What counted against the payer's daily limit, and on which business day. */
  readonly dailyLimitAmount: Minor;
  readonly businessDate: number;
  /** Business time at which it was accepted (epoch ms). */
  readonly at: number;
}

/** Whose word is recorded: what the rail told, or what an operator decided. */
export type ResultSource = "rail" | "operator";

export interface RailTransfer extends RailTransferTerms {
  readonly state: TransferState;
  /** The rail's own number of it. */
  readonly traceNo?: string | undefined;
  /** Why the rail did not carry it: a rejection kind. */
  readonly rejection?: CallRejectionKind | undefined;
  /** Whether its result was the first answer of its call: settled or rejected there, instead of 202. */
  readonly isResolvedSynchronously: boolean;
  /** Whose word ended it. */
  readonly resolvedBy?: ResultSource | undefined;
  /** Whose word brought it back. */
  readonly returnedBy?: ResultSource | undefined;
  /** Journals (command ids) of its end and of its return. */
  readonly resolutionJournalId?: string | undefined;
  readonly returnJournalId?: string | undefined;
  /**
   * Business time (epoch ms) of the commit by which it was last handed over; accepting it is the first. 0 when the rail has
   * acknowledged it since: then nothing is on its way.
   */
  readonly submittedAt: number;
  /** How often somebody took it on after its caller's node had accepted it. */
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
 * rail, and would be paid although the money is back. Where the rail certainly does not have it, there is none on its way.
 */
export function rejectableFrom({ state, submittedAt }: RailTransfer): number {
  return state === "queued" ? -Infinity : submittedAt + submissionValidMs + clockToleranceMs;
}
