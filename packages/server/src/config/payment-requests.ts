/** Settings of requests for payment (19) (spec D12). */
import { boolean } from "@titian/contract";
import { flag, whole } from "./types.ts";

export const paymentRequestVariables = {
  TITIAN_OPEN_PAYMENT_REQUESTS_MAX: whole(1, 1_000, 10, "a number"),
  TITIAN_OPEN_PAYMENT_REQUESTS_OF_PAYER_MAX: whole(1, 10_000, 100, "a number"),
  TITIAN_PAYMENT_REQUEST_DAYS_MAX: whole(1, 3_650, 90, "days"),
  TITIAN_HIDE_PAYERS: boolean({ ...flag, default: false }),
};

interface PaymentRequestSettings {
  readonly TITIAN_OPEN_PAYMENT_REQUESTS_MAX: number;
  readonly TITIAN_OPEN_PAYMENT_REQUESTS_OF_PAYER_MAX: number;
  readonly TITIAN_PAYMENT_REQUEST_DAYS_MAX: number;
  readonly TITIAN_HIDE_PAYERS: boolean;
}

/** `PaymentRequestLimits` of the ledger. */
export function readPaymentRequestLimits(settings: PaymentRequestSettings) {
  return {
    openOfPartnerMax: settings.TITIAN_OPEN_PAYMENT_REQUESTS_MAX,
    openOfPayerMax: settings.TITIAN_OPEN_PAYMENT_REQUESTS_OF_PAYER_MAX,
    durationMaxMs: settings.TITIAN_PAYMENT_REQUEST_DAYS_MAX * 86_400_000,
    hidesPayers: settings.TITIAN_HIDE_PAYERS,
  };
}
