/** Authorized payments as a partner's system sends them (63-69), and what the control API shows of them. */
import assert from "node:assert/strict";
import type { Answer, Caller, Json } from "../caller.ts";
import type { Control } from "../control.ts";
import { captureBody, paths, paymentBody, refundBody, voidBody } from "./hold-bodies.ts";

export interface HoldState {
  readonly held: string;
  readonly captured: string;
  readonly voided: string;
  readonly expired: string;
  readonly refunded: string;
  readonly remaining: string;
  readonly state: string;
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

export const capture = (caller: Caller, payment: Payment, more?: Json): Promise<Answer> =>
  caller.call(paths.capture, captureBody(payment, more));
export const voidHold = (caller: Caller, payment: Payment, more?: Json): Promise<Answer> =>
  caller.call(paths.void, voidBody(payment, more));
export const refund = (caller: Caller, payment: Payment, more?: Json): Promise<Answer> =>
  caller.call(paths.refund, refundBody(payment, more));

export function holdOf(control: Control, { referenceNo }: Payment): Promise<HoldState> {
  return control.call<HoldState>("GET", `holds/${referenceNo}`);
}
