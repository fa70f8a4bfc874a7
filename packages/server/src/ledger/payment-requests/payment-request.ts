/** A payment request (19): asks the holder of an account to pay. Its approval moves the money, once (spec D12). */
import type { Minor } from "../money.ts";
import type { FeeType } from "../transfers/fees.ts";
import type { PaymentRequestState } from "./states.ts";

/** Terms with which a payment request was accepted; none of them ever changes. */
export interface PaymentRequestTerms {
  /** Id of the command that accepted it; its reference number is made of it. */
  readonly id: string;
  /** Internal id of the partner. */
  readonly partner: string;
  /** Account id of the payer. */
  readonly payer: string;
  /** Account id of the beneficiary; absent: at another bank, over the interbank rail. */
  readonly beneficiary?: string | undefined;
  readonly currency: string;
  /** Absent: an open amount, which the approval names. */
  readonly requestedAmount?: Minor | undefined;
  readonly feeType?: FeeType | undefined;
  /** Business time (epoch ms) from which on it has expired. */
  readonly expiresAt: number;
  /** Business time at which it was accepted (epoch ms). */
  readonly at: number;
}

/** Source of an answer: the payer, or an operator for the payer. */
export type AnsweredBy = "payer" | "operator";

export interface PaymentRequest extends PaymentRequestTerms {
  readonly state: Exclude<PaymentRequestState, "expired">;
  /** Amount that the payer approved, before fees. */
  readonly approvedAmount?: Minor | undefined;
  /** Journal (command id) of the approval. */
  readonly approvalJournalId?: string | undefined;
  /** Business time of the answer (epoch ms). */
  readonly answeredAt?: number | undefined;
  readonly answeredBy?: AnsweredBy | undefined;
  /** Number of changes so far. */
  readonly version: number;
}

/** Settings of the bank. */
export interface PaymentRequestLimits {
  /** Open requests of one partner to one payer, and of all partners to one payer. */
  readonly openOfPartnerMax: number;
  readonly openOfPayerMax: number;
  /** Longest time from now to the end of a request. */
  readonly durationMaxMs: number;
  /** True: a payer that cannot be asked is answered as one that does not exist, whatever its state. */
  readonly hidesPayers: boolean;
}

/** A request that waits for its payer's answer, as far as it counts against the limits. */
export type OpenPaymentRequest = Pick<PaymentRequestTerms, "id" | "partner" | "expiresAt">;

/** The rail to a beneficiary at another bank. */
export const paymentRequestRail = "interbank";
