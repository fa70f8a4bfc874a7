/** Code 69: reverses an amount already captured. */
import { conditional, mandatory, optional } from "../fields/field.ts";
import { text } from "../fields/text-types.ts";
import { FreeForm, Money, Reference, Timestamp } from "../fields/types.ts";
import { defineOperation } from "../operation.ts";

export const authRefund = defineOperation({
  code: "69",
  name: "authRefund",
  path: "auth/refund",
  kind: "write",
  direction: "toProvider",
  title: "Refund a captured payment",
  request: {
    originalPartnerReferenceNo: mandatory(Reference),
    partnerRefundNo: mandatory(Reference),
    originalReferenceNo: optional(Reference),
    merchantId: optional(Reference),
    subMerchantId: optional(text(32)),
    refundAmount: optional(Money),
    externalStoreId: optional(Reference),
    reason: optional(text(256)),
    additionalInfo: optional(FreeForm),
    originalCaptureNo: conditional(Reference),
  },
  response: {
    refundNo: mandatory(Reference),
    refundTime: mandatory(Timestamp),
    originalPartnerReferenceNo: optional(Reference),
    partnerRefundNo: optional(Reference),
    refundAmount: optional(Money),
    additionalInfo: optional(FreeForm),
    originalCaptureNo: conditional(Reference),
    originalReferenceNo: conditional(Reference),
  },
});
