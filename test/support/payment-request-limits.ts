import type { PaymentRequestLimits } from "../../packages/server/src/ledger/payment-requests/payment-request.ts";

/** Those of a service without settings. */
export const paymentRequestLimits: PaymentRequestLimits = {
  openOfPartnerMax: 10,
  openOfPayerMax: 100,
  durationMaxMs: 90 * 86_400_000,
  hidesPayers: false,
};
