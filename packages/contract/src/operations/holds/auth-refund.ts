/** Code 69: reverses an amount already captured. */
import { conditional, mandatory, optional } from "../../fields/field.ts";
import { text } from "../../fields/text-types.ts";
import { FreeForm, Money, Reference, Timestamp } from "../../fields/types.ts";
import { defineOperation } from "../../operation.ts";
import { holdCases } from "../../shapes/cases.ts";

export const authRefund = defineOperation({
  code: "69",
  name: "authRefund",
  path: "auth/refund",
  kind: "write",
  direction: "toProvider",
  about: {
    noun: "hold",
    placedBy: { numbers: ["originalReferenceNo", "originalCaptureNo"] },
    amount: "refundAmount",
    number: "refundNo",
    partnerNumber: "partnerRefundNo",
    startsFrom: "authCapture",
    within: "originalPartnerReferenceNo",
    exampleStatus: "00",
    inquiry: undefined,
    doneAt: ["00"],
    failedAt: [],
  },
  title: "Refund a captured payment",
  titleTranslations: { id: "Kembalikan dana pembayaran yang di-capture" },
  description:
    "Reverses an amount already captured: `refundAmount` of it, or without one all that was not refunded yet. A capture must be named when the hold lapsed, which is to expire with something captured and something left.",
  descriptionTranslations: {
    id: "Mengembalikan jumlah yang sudah di-capture: sebesar `refundAmount`, atau tanpa itu semua yang belum dikembalikan. Capture harus disebut bila batas waktu penahanan lewat dengan sebagian sudah di-capture dan sebagian tersisa.",
  },
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
  cases: [...holdCases, "insufficientFunds"],
  example: {
    request: {
      originalPartnerReferenceNo: "ORDER-2026-000123",
      partnerRefundNo: "REFUND-0001",
      originalReferenceNo: "01JD7K3M9QZ8V2X4B6N8P0R2T4",
      merchantId: "M-0001",
      refundAmount: { value: "20000.00", currency: "IDR" },
      reason: "Minibar not used",
    },
    response: {
      refundNo: "01JD7K7Q2R3S4T5V6W7X8Y9Z0A",
      refundTime: "2026-11-25T14:00:00+07:00",
      originalPartnerReferenceNo: "ORDER-2026-000123",
      partnerRefundNo: "REFUND-0001",
      refundAmount: { value: "20000.00", currency: "IDR" },
      originalReferenceNo: "01JD7K3M9QZ8V2X4B6N8P0R2T4",
    },
  },
});
