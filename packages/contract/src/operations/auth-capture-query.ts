/** Code 66: what became of a capture. */
import { mandatory, optional } from "../fields/field.ts";
import { text } from "../fields/text-types.ts";
import { AttemptStatus, FreeForm, Money, Reference, Timestamp } from "../fields/types.ts";
import { defineOperation } from "../operation.ts";

export const authCaptureQuery = defineOperation({
  code: "66",
  name: "authCaptureQuery",
  path: "auth/capture-query",
  kind: "read",
  direction: "toProvider",
  title: "Query a capture",
  request: {
    originalReferenceNo: mandatory(Reference),
    merchantId: mandatory(Reference),
    partnerCaptureNo: mandatory(Reference),
    originalPartnerReferenceNo: optional(Reference),
    subMerchantId: optional(text(32)),
    captureNo: optional(Reference),
    additionalInfo: optional(FreeForm),
  },
  response: {
    captureAmount: mandatory(Money),
    partnerCaptureNo: mandatory(Reference),
    originalReferenceNo: optional(Reference),
    originalPartnerReferenceNo: optional(Reference),
    captureNo: optional(Reference),
    captureTime: optional(Timestamp),
    latestCaptureStatus: optional(AttemptStatus),
    additionalInfo: optional(FreeForm),
  },
});
