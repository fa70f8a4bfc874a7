/** Paths and valid bodies of the operations of authorized payments (63-69). */
import { type Json, newNumber } from "../caller.ts";
import type { Payment } from "./holds.ts";
import { idr } from "../transfers.ts";

export const paths = {
  payment: "auth/payment",
  query: "auth/query",
  capture: "auth/capture",
  captureQuery: "auth/capture-query",
  void: "auth/void",
  voidQuery: "auth/void-query",
  refund: "auth/refund",
} as const;

/** A valid body of 63. */
export function paymentBody(merchantId: string, more: Json = {}): Json {
  return { partnerReferenceNo: newNumber(), merchantId, title: "Hotel deposit", amount: idr("100.00"), ...more };
}

const referencesTo = ({ referenceNo, partnerReferenceNo, merchantId }: Payment): Json => ({
  originalReferenceNo: referenceNo,
  originalPartnerReferenceNo: partnerReferenceNo,
  merchantId,
});

/** A valid body of 65; without an amount all that remains. */
export function captureBody(payment: Payment, more: Json = {}): Json {
  return { ...referencesTo(payment), partnerCaptureNo: newNumber(), title: "Hotel bill", ...more };
}

/** A valid body of 67; without an amount all that remains. */
export function voidBody(payment: Payment, more: Json = {}): Json {
  return { ...referencesTo(payment), partnerVoidNo: newNumber(), ...more };
}

/** A valid body of 69; without an amount all that can be refunded. */
export function refundBody({ partnerReferenceNo }: Payment, more: Json = {}): Json {
  return { originalPartnerReferenceNo: partnerReferenceNo, partnerRefundNo: newNumber(), ...more };
}
