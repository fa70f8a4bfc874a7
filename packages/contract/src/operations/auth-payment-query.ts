/** Code 64: what became of a hold. */
import { mandatory, optional } from "../fields/field.ts";
import { text } from "../fields/text-types.ts";
import { FreeForm, Money, Reference, Timestamp, TransactionStatus } from "../fields/types.ts";
import { defineOperation } from "../operation.ts";

export const authPaymentQuery = defineOperation({
  code: "64",
  name: "authPaymentQuery",
  path: "auth/query",
  kind: "read",
  direction: "toProvider",
  title: "Query an authorized payment",
  request: {
    originalPartnerReferenceNo: optional(Reference),
    originalReferenceNo: optional(Reference),
    merchantId: optional(Reference),
    subMerchantId: optional(text(32)),
    externalStoreId: optional(Reference),
    additionalInfo: optional(FreeForm),
  },
  response: {
    paidTime: mandatory(Timestamp),
    latestTransactionStatus: mandatory(TransactionStatus),
    originalPartnerReferenceNo: optional(Reference),
    originalReferenceNo: optional(Reference),
    amount: optional(Money),
    transactionStatusDesc: optional(text(50)),
    additionalInfo: optional(FreeForm),
  },
});
