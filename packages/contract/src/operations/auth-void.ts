/** Code 67: releases what a hold still holds, in full or in parts. */
import { mandatory, onSuccess, optional } from "../fields/field.ts";
import { text } from "../fields/text-types.ts";
import { FreeForm, Money, Reference, Timestamp, TrueFalseText } from "../fields/types.ts";
import { defineOperation } from "../operation.ts";

export const authVoid = defineOperation({
  code: "67",
  name: "authVoid",
  path: "auth/void",
  kind: "write",
  direction: "toProvider",
  title: "Void a held payment",
  request: {
    originalReferenceNo: mandatory(Reference),
    originalPartnerReferenceNo: mandatory(Reference),
    merchantId: mandatory(Reference),
    partnerVoidNo: mandatory(Reference),
    subMerchantId: optional(text(32)),
    voidAmount: optional(Money),
    voidRemainingAmount: optional(TrueFalseText),
    reason: optional(text(256)),
    additionalInfo: optional(FreeForm),
  },
  response: {
    partnerVoidNo: mandatory(Reference),
    voidAmount: mandatory(Money),
    originalReferenceNo: optional(Reference),
    originalPartnerReferenceNo: optional(Reference),
    voidNo: onSuccess(Reference),
    voidTime: onSuccess(Timestamp),
    additionalInfo: optional(FreeForm),
  },
});
