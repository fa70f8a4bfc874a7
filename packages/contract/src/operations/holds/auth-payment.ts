/** Code 63: places a hold on the payer's funds. */
import { mandatory, onSuccess, optional } from "../../fields/field.ts";
import { text } from "../../fields/text-types.ts";
import { FeeType, FreeForm, freeFormWith, Money, Reference, SourceAccountNo, Timestamp } from "../../fields/types.ts";
import { defineOperation } from "../../operation.ts";
import { payingCases } from "../../shapes/cases.ts";

/** Members of the request's `additionalInfo` that are read, as texts. */
export const authPaymentMembers = {
  sourceAccountNo: SourceAccountNo,
  validUpTo: Timestamp,
  externalStoreId: Reference,
} as const;

export const authPayment = defineOperation({
  code: "63",
  name: "authPayment",
  path: "auth/payment",
  kind: "write",
  direction: "toProvider",
  about: {
    noun: "hold",
    placedBy: { payer: "additionalInfo.sourceAccountNo", isByToken: true },
    amount: "amount",
    number: "referenceNo",
    partnerNumber: "partnerReferenceNo",
    startsFrom: undefined,
    within: undefined,
    exampleStatus: "01",
    inquiry: "authPaymentQuery",
    doneAt: ["00", "01", "02", "04", "05"],
    failedAt: [],
    members: authPaymentMembers,
  },
  title: "Authorize a payment (place a hold)",
  titleTranslations: { id: "Otorisasi pembayaran (tahan dana)" },
  description: [
    "Places a hold on the payer's funds: the available balance falls, nothing is charged yet. Without `amount` the",
    "merchant's default amount is held. The payer is the holder of the customer's token, else the account of",
    "`additionalInfo.sourceAccountNo`, else the merchant's payer. `additionalInfo.validUpTo` is the expiry of the hold,",
    "`additionalInfo.externalStoreId` the store.",
  ].join(" "),
  descriptionTranslations: {
    id: "Menahan dana pembayar: saldo tersedia berkurang, belum ada yang didebit. Tanpa `amount`, yang ditahan adalah jumlah bawaan merchant. Pembayarnya adalah pemilik token nasabah, jika tidak ada rekening `additionalInfo.sourceAccountNo`, jika tidak ada pembayar bawaan merchant. `additionalInfo.validUpTo` adalah batas waktu penahanan, `additionalInfo.externalStoreId` tokonya.",
  },
  request: {
    partnerReferenceNo: mandatory(Reference),
    merchantId: mandatory(Reference),
    title: mandatory(text(256)),
    subMerchantId: optional(text(32)),
    amount: optional(Money),
    feeType: optional(FeeType),
    mcc: optional(text(32)),
    productCode: optional(Reference),
    items: optional(FreeForm),
    additionalInfo: optional(
      FreeForm,
      "Free-form JSON. Read are sourceAccountNo (the payer), validUpTo (end of the hold) and externalStoreId.",
    ),
  },
  response: {
    amount: mandatory(Money),
    paidTime: mandatory(Timestamp),
    referenceNo: onSuccess(Reference),
    partnerReferenceNo: optional(Reference),
    additionalInfo: optional(
      freeFormWith({ validUpTo: optional(Timestamp) }),
      "That of the request, and the expiry of the hold.",
    ),
  },
  cases: ["invalidMerchant", "transactionNotFound", ...payingCases, "customerTokenNotFound"],
  example: {
    request: {
      partnerReferenceNo: "ORDER-2026-000123",
      merchantId: "M-0001",
      title: "Hotel deposit",
      amount: { value: "150000.00", currency: "IDR" },
      items: [{ goodsId: "ROOM-1", category: "hotel", quantity: 1 }],
      additionalInfo: { sourceAccountNo: "1000000001", validUpTo: "2026-11-26T12:00:00+07:00" },
    },
    response: {
      amount: { value: "150000.00", currency: "IDR" },
      paidTime: "2026-11-21T10:00:00+07:00",
      referenceNo: "01JD7K3M9QZ8V2X4B6N8P0R2T4",
      partnerReferenceNo: "ORDER-2026-000123",
      additionalInfo: { sourceAccountNo: "1000000001", validUpTo: "2026-11-26T12:00:00+07:00" },
    },
  },
});
