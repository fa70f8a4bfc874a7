/** Services 63 to 69: a hold, a capture of a part, a void of the rest, a refund, and the inquiries about each at the other node. */
import assert from "node:assert/strict";
import type { Client } from "@titian/client";
import { merchantId } from "./day.ts";
import { rupiah } from "./bodies.ts";
import type { Call } from "./operations.ts";

export async function callHolds(call: Call, first: Client, second: Client, customerToken: string): Promise<void> {
  const originalPartnerReferenceNo = "D-63";
  const options = { customerToken };
  const payment = { partnerReferenceNo: originalPartnerReferenceNo, merchantId, title: "Fuel" };
  const hold = await call(
    "authPayment",
    "2006300",
    first.authPayment({ ...payment, amount: rupiah("300000.00") }, options),
  );
  const { referenceNo: originalReferenceNo = "" } = hold;
  const which = { originalReferenceNo, originalPartnerReferenceNo, merchantId };
  const asked = { originalPartnerReferenceNo, merchantId };
  await call("authPaymentQuery", "2006400", second.authPaymentQuery(asked, options));
  const capture = { ...which, partnerCaptureNo: "D-65", title: "Fuel", captureAmount: rupiah("120000.00") };
  await call("authCapture", "2006500", second.authCapture(capture, options));
  const captured = { originalReferenceNo, merchantId, partnerCaptureNo: "D-65" };
  await call("authCaptureQuery", "2006600", first.authCaptureQuery(captured, options));
  const rest = { ...which, partnerVoidNo: "D-67", voidRemainingAmount: "true" } as const;
  await call("authVoid", "2006700", first.authVoid(rest, options));
  const voided = { originalReferenceNo, merchantId, partnerVoidNo: "D-67" };
  await call("authVoidQuery", "2006800", second.authVoidQuery(voided, options));
  const refund = { ...which, partnerRefundNo: "D-69", refundAmount: rupiah("20000.00"), reason: "too much" };
  await call("authRefund", "2006900", second.authRefund(refund, options));
  const { additionalInfo } = await first.authPaymentQuery(asked, options);
  const { captured: sum, voided: given, refunded, remaining } = (additionalInfo ?? {}) as Record<string, unknown>;
  assert.deepEqual([sum, given, refunded, remaining], ["120000.00", "180000.00", "20000.00", "0.00"]);
}
