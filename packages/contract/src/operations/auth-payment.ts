/** Code 63: places a hold on the payer's funds. */
import { mandatory, onSuccess, optional } from "../fields/field.ts";
import { text } from "../fields/text-types.ts";
import { FeeType, FreeForm, FreeFormAny, Money, Reference, Timestamp } from "../fields/types.ts";
import { defineOperation } from "../operation.ts";

export const authPayment = defineOperation({
  code: "63",
  name: "authPayment",
  path: "auth/payment",
  kind: "write",
  direction: "toProvider",
  title: "Authorize a payment (place a hold)",
  request: {
    partnerReferenceNo: mandatory(Reference),
    merchantId: mandatory(Reference),
    title: mandatory(text(256)),
    subMerchantId: optional(text(32)),
    amount: optional(Money),
    feeType: optional(FeeType),
    mcc: optional(text(32)),
    productCode: optional(Reference),
    items: optional(FreeFormAny),
    additionalInfo: optional(FreeForm),
  },
  response: {
    amount: mandatory(Money),
    paidTime: mandatory(Timestamp),
    referenceNo: onSuccess(Reference),
    partnerReferenceNo: optional(Reference),
    additionalInfo: optional(FreeForm),
  },
});
