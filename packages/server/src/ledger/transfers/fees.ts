/** Fees of rails, by fee type (spec D11). */
import { type Minor, minor, zero } from "../money.ts";
import type { RailTerms } from "../rails/terms.ts";
import { type Rejected, reject } from "../rejection.ts";

/** Bearer of the fee: sender · beneficiary · the sender up to 1,000 and the beneficiary the rest, under two names. */
export type FeeType = "OUR" | "BEN" | "SHA" | "1000";

export interface FeeOrder extends Pick<RailTerms, "fee" | "sharedFeeMax"> {
  /** Amount that the request asks to send; minor units, as all amounts here. */
  readonly amount: Minor;
  /** Absent: `OUR`. */
  readonly feeType: FeeType | undefined;
}

/** `debited` = `sentAmount` + fee, and `sender` + `beneficiary` = fee, always. */
export interface FeeSplit {
  readonly kind: "split";
  /** The part of the fee that the sender pays on top of the amount. */
  readonly sender: Minor;
  /** The part that comes out of what the beneficiary gets. */
  readonly beneficiary: Minor;
  /** Amount that reaches the beneficiary's bank; more than zero. */
  readonly sentAmount: Minor;
  /** Amount with which the sender's account is debited. */
  readonly debited: Minor;
}

/** The parts of a fee, or `feeTooLarge` where it would leave the beneficiary nothing. */
export function splitFee(order: FeeOrder): FeeSplit | Rejected {
  const { amount, fee } = order;
  const sender = senderPart(order);
  const beneficiary = minor(fee - sender);
  if (beneficiary >= amount) return reject("feeTooLarge", "amount.value");
  return {
    kind: "split",
    sender,
    beneficiary,
    sentAmount: minor(amount - beneficiary),
    debited: minor(amount + sender),
  };
}

function senderPart({ fee, sharedFeeMax, feeType = "OUR" }: FeeOrder): Minor {
  if (feeType === "OUR") return fee;
  if (feeType === "BEN") return zero;
  return fee < sharedFeeMax ? fee : sharedFeeMax;
}
