/** Accepts a payment request (19): checks all that our data can tell, and moves no money (spec D12). */
import type { Account } from "../accounts/account.ts";
import { rejectState } from "../accounts/debit.ts";
import { findBank } from "../rails/banks.ts";
import { rejectRailAmount } from "../rails/limits.ts";
import type { RailData } from "../rails/terms.ts";
import { type Decision, type Rejected, reject } from "../rejection.ts";
import { splitFee } from "../transfers/fees.ts";
import { type PaymentRequest, paymentRequestRail, type PaymentRequestTerms } from "./payment-request.ts";

export interface PaymentRequestOrder
  extends Pick<PaymentRequestTerms, "id" | "partner" | "requestedAmount" | "feeType" | "expiresAt" | "at"> {
  /** Absent: the payer's account's. */
  readonly currency: string | undefined;
  readonly bankCode: string;
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
): Decision<PaymentRequestEffect> {
  const { bankCode, currency = payer?.currency, ...terms } = order;
  if (terms.expiresAt <= terms.at) return reject("validityOutOfRange", "expiredDatetime");
  if (!payer || payer.purpose !== "customer" || currency === undefined) {
    return reject("unknownPayer", "sourceAccountNo");
  }
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
    rejectAmount(request, data) ?? {
      kind: "effect",
      effect: { newPaymentRequests: [{ ...request, state: "waiting", version: 0 }] },
    }
  );
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
