/** Code 66: the result of a capture. */
import { mandatory, optional } from "../../fields/field.ts";
import { text } from "../../fields/text-types.ts";
import { AttemptStatus, FreeForm, freeFormWith, Money, Reference, Timestamp } from "../../fields/types.ts";
import { defineOperation } from "../../operation.ts";
import { Rejection } from "../../shapes/rejection.ts";

export const authCaptureQuery = defineOperation({
  code: "66",
  name: "authCaptureQuery",
  path: "auth/capture-query",
  kind: "read",
  direction: "toProvider",
  about: {
    noun: "hold",
    placedBy: { numbers: ["originalReferenceNo"] },
    startsFrom: "authCapture",
    tells: { asked: "partnerCaptureNo", status: "latestCaptureStatus", number: "captureNo" },
  },
  title: "Query a capture",
  titleTranslations: { id: "Tanyakan capture" },
  description: "Reports the result of a capture: the accepted attempt under its number, else the newest rejected one.",
  descriptionTranslations: {
    id: "Melaporkan hasil sebuah capture: percobaan yang diterima dengan nomornya, jika tidak ada, penolakan terakhir.",
  },
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
    additionalInfo: optional(freeFormWith({ rejection: optional(Rejection) }), "The rejection of a rejected capture."),
  },
  cases: ["transactionNotFound", "customerTokenNotFound"],
  example: {
    request: { originalReferenceNo: "01JD7K3M9QZ8V2X4B6N8P0R2T4", merchantId: "M-0001", partnerCaptureNo: "CAP-0001" },
    response: {
      captureAmount: { value: "120000.00", currency: "IDR" },
      partnerCaptureNo: "CAP-0001",
      originalReferenceNo: "01JD7K3M9QZ8V2X4B6N8P0R2T4",
      originalPartnerReferenceNo: "ORDER-2026-000123",
      captureNo: "01JD7K5W3C0D4F6H8J0K2M4N6P",
      captureTime: "2026-11-23T09:30:00+07:00",
      latestCaptureStatus: "SUCCESS",
    },
  },
});
