/** Code 65: charges a hold, in full or in parts. */
import { mandatory, onSuccess, optional } from "../../fields/field.ts";
import { text } from "../../fields/text-types.ts";
import { FreeForm, Money, Reference, Timestamp, TrueFalseText } from "../../fields/types.ts";
import { defineOperation } from "../../operation.ts";
import { holdCases } from "../../shapes/cases.ts";

export const authCapture = defineOperation({
  code: "65",
  name: "authCapture",
  path: "auth/capture",
  kind: "write",
  direction: "toProvider",
  about: {
    noun: "hold",
    placedBy: { numbers: ["originalReferenceNo"] },
    amount: "captureAmount",
    number: "captureNo",
    partnerNumber: "partnerCaptureNo",
    startsFrom: "authPayment",
    within: "originalReferenceNo",
    exampleStatus: "00",
    inquiry: "authCaptureQuery",
    doneAt: ["00"],
    failedAt: [],
  },
  title: "Capture a held payment",
  titleTranslations: { id: "Capture pembayaran yang ditahan" },
  description:
    "Charges a hold, in full or in parts. Without `captureAmount` all that remains is charged; `lastCapture` true releases what is left after it.",
  descriptionTranslations: {
    id: "Mendebit dana yang ditahan, seluruhnya atau sebagian. Tanpa `captureAmount`, seluruh sisanya didebit; dengan `lastCapture` true, yang tersisa setelahnya dilepas.",
  },
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
  cases: holdCases,
  example: {
    request: {
      originalReferenceNo: "01JD7K3M9QZ8V2X4B6N8P0R2T4",
      originalPartnerReferenceNo: "ORDER-2026-000123",
      merchantId: "M-0001",
      partnerCaptureNo: "CAP-0001",
      title: "Hotel bill",
      captureAmount: { value: "120000.00", currency: "IDR" },
      lastCapture: "false",
    },
    response: {
      captureAmount: { value: "120000.00", currency: "IDR" },
      originalReferenceNo: "01JD7K3M9QZ8V2X4B6N8P0R2T4",
      originalPartnerReferenceNo: "ORDER-2026-000123",
      partnerCaptureNo: "CAP-0001",
      captureNo: "01JD7K5W3C0D4F6H8J0K2M4N6P",
      captureTime: "2026-11-23T09:30:00+07:00",
    },
  },
});
