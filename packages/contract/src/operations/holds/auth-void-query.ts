/** Code 68: the result of a void. */
import { mandatory, optional } from "../../fields/field.ts";
import { text } from "../../fields/text-types.ts";
import { AttemptStatus, FreeForm, freeFormWith, Money, Reference, Timestamp } from "../../fields/types.ts";
import { defineOperation } from "../../operation.ts";
import { Rejection } from "../../shapes/rejection.ts";

export const authVoidQuery = defineOperation({
  code: "68",
  name: "authVoidQuery",
  path: "auth/void-query",
  kind: "read",
  direction: "toProvider",
  about: {
    noun: "hold",
    placedBy: { numbers: ["originalReferenceNo"] },
    startsFrom: "authVoid",
    tells: { asked: "partnerVoidNo", status: "latestVoidStatus", number: "voidNo" },
  },
  title: "Query a void",
  titleTranslations: { id: "Tanyakan void" },
  description: "Reports the result of a void: the accepted attempt under its number, else the newest rejected one.",
  descriptionTranslations: {
    id: "Melaporkan hasil sebuah void: percobaan yang diterima dengan nomornya, jika tidak ada, penolakan terakhir.",
  },
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
    additionalInfo: optional(freeFormWith({ rejection: optional(Rejection) }), "The rejection of a rejected void."),
  },
  cases: ["transactionNotFound", "customerTokenNotFound"],
  example: {
    request: { originalReferenceNo: "01JD7K3M9QZ8V2X4B6N8P0R2T4", merchantId: "M-0001", partnerVoidNo: "VOID-0001" },
    response: {
      voidAmount: { value: "30000.00", currency: "IDR" },
      originalReferenceNo: "01JD7K3M9QZ8V2X4B6N8P0R2T4",
      originalPartnerReferenceNo: "ORDER-2026-000123",
      voidNo: "01JD7K6A1B2C3D4E5F6G7H8J9K",
      voidTime: "2026-11-23T09:45:00+07:00",
      latestVoidStatus: "SUCCESS",
      partnerVoidNo: "VOID-0001",
    },
  },
});
