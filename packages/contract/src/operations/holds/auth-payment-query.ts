/** Code 64: the state of a hold. */
import { mandatory, optional } from "../../fields/field.ts";
import { text } from "../../fields/text-types.ts";
import {
  FreeForm,
  freeFormWith,
  Money,
  MoneyValue,
  Reference,
  Timestamp,
  TransactionStatus,
} from "../../fields/types.ts";
import { defineOperation } from "../../operation.ts";

export const authPaymentQuery = defineOperation({
  code: "64",
  name: "authPaymentQuery",
  path: "auth/query",
  kind: "read",
  direction: "toProvider",
  about: {
    noun: "hold",
    placedBy: { numbers: ["originalReferenceNo"] },
    startsFrom: "authPayment",
    tells: { asked: "originalPartnerReferenceNo", status: "latestTransactionStatus", number: "originalReferenceNo" },
  },
  title: "Query an authorized payment",
  titleTranslations: { id: "Tanyakan pembayaran yang diotorisasi" },
  description: [
    "Reports the state of a hold. Any reference is enough; all references in the request must match. `additionalInfo`",
    "has the sums captured, voided, expired, refunded and remaining.",
  ].join(" "),
  descriptionTranslations: {
    id: "Melaporkan keadaan dana yang ditahan. Satu referensi saja cukup; semua referensi dalam permintaan harus cocok. `additionalInfo` berisi jumlah yang sudah di-capture, di-void, kedaluwarsa, dikembalikan, dan yang tersisa.",
  },
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
    additionalInfo: optional(
      freeFormWith({
        captured: optional(MoneyValue),
        voided: optional(MoneyValue),
        expired: optional(MoneyValue),
        refunded: optional(MoneyValue),
        remaining: optional(MoneyValue),
        validUpTo: optional(Timestamp),
      }),
      "The sums of the hold and its expiry.",
    ),
  },
  cases: ["transactionNotFound", "customerTokenNotFound"],
  example: {
    request: { originalPartnerReferenceNo: "ORDER-2026-000123", merchantId: "M-0001" },
    response: {
      paidTime: "2026-11-21T10:00:00+07:00",
      latestTransactionStatus: "02",
      originalPartnerReferenceNo: "ORDER-2026-000123",
      originalReferenceNo: "01JD7K3M9QZ8V2X4B6N8P0R2T4",
      amount: { value: "150000.00", currency: "IDR" },
      transactionStatusDesc: "Paying",
      additionalInfo: {
        captured: "120000.00",
        voided: "0.00",
        expired: "0.00",
        refunded: "0.00",
        remaining: "30000.00",
        validUpTo: "2026-11-26T12:00:00+07:00",
      },
    },
  },
});
