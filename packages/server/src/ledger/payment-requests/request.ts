/** Accepts a payment request (19): checks all that our data can tell, and moves no money (spec D12). */
import type { Account } from "../accounts/account.ts";
import { rejectState } from "../accounts/debit.ts";
import { findBank } from "../rails/banks.ts";
import { rejectRailAmount } from "../rails/limits.ts";
import type { RailData } from "../rails/terms.ts";
import { type Decision, type Rejected, reject } from "../rejection.ts";
import { splitFee } from "../transfers/fees.ts";
import {
  type OpenPaymentRequest,
  type PaymentRequest,
  type PaymentRequestLimits,
  paymentRequestRail,
  type PaymentRequestTerms,
} from "./payment-request.ts";

export interface PaymentRequestOrder
  extends Pick<PaymentRequestTerms, "id" | "partner" | "requestedAmount" | "feeType" | "expiresAt" | "at"> {
  /** Absent: the payer's account's. */
  readonly currency: string | undefined;
  readonly bankCode: string;
}

/** Bounds against which the limits are checked. */
export interface PaymentRequestBounds {
  readonly limits: PaymentRequestLimits;
  /** Those that wait for the payer's answer; expired ones are left out here. */
  readonly open: readonly OpenPaymentRequest[];
}

export interface PaymentRequestEffect {
  readonly newPaymentRequests: readonly PaymentRequest[];
}

/**
 * Any customer's account may be asked: its holder decides. `beneficiary`: our account of the requested number; not looked
 * at where the bank is another. Limits of accounts and funds are checked at the approval.
 */
export function decidePaymentRequest(
  order: PaymentRequestOrder,
  payer: Account | undefined,
  beneficiary: Account | undefined,
  data: RailData,
  bounds: PaymentRequestBounds,
): Decision<PaymentRequestEffect> {
  const { bankCode, currency = payer?.currency, ...terms } = order;
  const { durationMaxMs, hidesPayers } = bounds.limits;
  if (terms.expiresAt <= terms.at || terms.expiresAt - terms.at > durationMaxMs) {
    return reject("validityOutOfRange", "expiredDatetime");
  }
  if (!payer || payer.purpose !== "customer" || currency === undefined) {
    return reject("unknownPayer", "sourceAccountNo");
  }
  // Before everything that looks at the account: nothing then tells it from one that does not exist.
  if (hidesPayers && rejectState(payer, "sourceAccountNo")) return reject("unknownPayer", "sourceAccountNo");
  const bank = findBank(data, bankCode);
  if (!bank) return reject("bankUnknown", "bankCode");
  if (bank === "own" && beneficiary?.purpose !== "customer")
    return reject("unknownBeneficiary", "beneficiaryAccountNo");
  const credited = bank === "own" ? beneficiary : undefined;
  if (payer.id === credited?.id) return reject("sameAccount", "beneficiaryAccountNo");
  const carrier = credited ?? data.rails[paymentRequestRail];
  if (currency !== payer.currency || currency !== carrier.currency) {
    return reject("currencyMismatch", terms.requestedAmount === undefined ? "currency" : "amount.currency");
  }
  const request = { ...terms, payer: payer.id, beneficiary: credited?.id, currency };
  return (
    rejectState(payer, "sourceAccountNo") ??
    (credited && rejectState(credited, "beneficiaryAccountNo")) ??
    rejectAmount(request, data) ??
    rejectCount(request, bounds) ?? {
      kind: "effect",
      effect: { newPaymentRequests: [{ ...request, state: "waiting", version: 0 }] },
    }
  );
}

/** Requests whose time has passed count no more. */
function rejectCount(
  { partner, at }: PaymentRequestTerms,
  { limits, open }: PaymentRequestBounds,
): Rejected | undefined {
  const waiting = open.filter(({ expiresAt }) => expiresAt > at);
  const own = waiting.filter((request) => request.partner === partner);
  if (own.length >= limits.openOfPartnerMax) return reject("tooManyOpenRequests", "sourceAccountNo");
  return waiting.length >= limits.openOfPayerMax ? reject("tooManyOpenRequestsOfPayer", "sourceAccountNo") : undefined;
}

/** An open amount is checked when the approval names it. */
function rejectAmount(
  { requestedAmount: amount, beneficiary, feeType }: PaymentRequestTerms,
  data: RailData,
): Rejected | undefined {
  if (amount === undefined) return undefined;
  if (beneficiary !== undefined) return amount > 0n ? undefined : reject("amountTooSmall", "amount.value");
  const terms = data.rails[paymentRequestRail];
  const fee = splitFee({ ...terms, amount, feeType });
  return rejectRailAmount(amount, terms) ?? (fee.kind === "rejection" ? fee : undefined);
}
