/** Code 68: what became of a void. */
import { mandatory, optional } from "../fields/field.ts";
import { text } from "../fields/text-types.ts";
import { AttemptStatus, FreeForm, Money, Reference, Timestamp } from "../fields/types.ts";
import { defineOperation } from "../operation.ts";

export const authVoidQuery = defineOperation({
  code: "68",
  name: "authVoidQuery",
  path: "auth/void-query",
  kind: "read",
  direction: "toProvider",
  title: "Query a void",
  request: {
    originalReferenceNo: mandatory(Reference),
    merchantId: mandatory(Reference),
    partnerVoidNo: mandatory(Reference),
    originalPartnerReferenceNo: optional(Reference),
    subMerchantId: optional(text(32)),
    voidNo: optional(Reference),
    additionalInfo: optional(FreeForm),
  },
  response: {
    voidAmount: mandatory(Money),
    originalReferenceNo: optional(Reference),
    originalPartnerReferenceNo: optional(Reference),
    voidNo: optional(Reference),
    voidTime: optional(Timestamp),
    latestVoidStatus: optional(AttemptStatus),
    partnerVoidNo: optional(Reference),
    additionalInfo: optional(FreeForm),
  },
});
