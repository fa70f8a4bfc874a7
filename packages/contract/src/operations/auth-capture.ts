/** Code 65: charges a hold, in full or in parts. */
import { mandatory, onSuccess, optional } from "../fields/field.ts";
import { text } from "../fields/text-types.ts";
import { FreeForm, Money, Reference, Timestamp, TrueFalseText } from "../fields/types.ts";
import { defineOperation } from "../operation.ts";

export const authCapture = defineOperation({
  code: "65",
  name: "authCapture",
  path: "auth/capture",
  kind: "write",
  direction: "toProvider",
  title: "Capture a held payment",
  request: {
    originalReferenceNo: mandatory(Reference),
    originalPartnerReferenceNo: mandatory(Reference),
    merchantId: mandatory(Reference),
    partnerCaptureNo: mandatory(Reference),
    title: mandatory(text(256)),
    subMerchantId: optional(text(32)),
    captureAmount: optional(Money),
    lastCapture: optional(TrueFalseText),
    additionalInfo: optional(FreeForm),
  },
  response: {
    captureAmount: mandatory(Money),
    originalReferenceNo: optional(Reference),
    originalPartnerReferenceNo: optional(Reference),
    partnerCaptureNo: optional(Reference),
    captureNo: onSuccess(Reference),
    captureTime: onSuccess(Timestamp),
    additionalInfo: optional(FreeForm),
  },
});
