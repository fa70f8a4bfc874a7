/** Authorized payments as a partner's system sends them (63-69), and what the control API shows of them. */
import assert from "node:assert/strict";
import type { Answer, Caller, Json } from "./caller.ts";
import { newNumber } from "./caller.ts";
import type { Control } from "./control.ts";

export const paths = {
  payment: "auth/payment",
  query: "auth/query",
  capture: "auth/capture",
  captureQuery: "auth/capture-query",
  void: "auth/void",
  voidQuery: "auth/void-query",
  refund: "auth/refund",
} as const;

export interface HoldState {
  readonly held: string;
  readonly captured: string;
  readonly voided: string;
  readonly expired: string;
  readonly refunded: string;
  readonly remaining: string;
  readonly state: string;
}

export const idr = (value: string) => ({ value, currency: "IDR" });

/** A valid body of 63. */
export function paymentBody(merchantId: string, more: Json = {}): Json {
  return { partnerReferenceNo: newNumber(), merchantId, title: "Hotel deposit", amount: idr("100.00"), ...more };
}

export interface Payment {
  readonly referenceNo: string;
  readonly partnerReferenceNo: string;
  readonly merchantId: string;
}

/** Places a hold that must succeed. */
export async function hold(caller: Caller, merchantId: string, more: Json = {}): Promise<Payment> {
  const answer = await caller.call(paths.payment, paymentBody(merchantId, more));
  assert.equal(answer.code, "2006300", answer.text);
  const { referenceNo, partnerReferenceNo } = answer.body;
  return { referenceNo: String(referenceNo), partnerReferenceNo: String(partnerReferenceNo), merchantId };
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

export const capture = (caller: Caller, payment: Payment, more?: Json): Promise<Answer> =>
  caller.call(paths.capture, captureBody(payment, more));
export const voidHold = (caller: Caller, payment: Payment, more?: Json): Promise<Answer> =>
  caller.call(paths.void, voidBody(payment, more));
export const refund = (caller: Caller, payment: Payment, more?: Json): Promise<Answer> =>
  caller.call(paths.refund, refundBody(payment, more));

export function holdOf(control: Control, { referenceNo }: Payment): Promise<HoldState> {
  return control.call<HoldState>("GET", `holds/${referenceNo}`);
}
