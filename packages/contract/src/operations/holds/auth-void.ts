/** Code 67: releases what a hold still holds, in full or in parts. */
import { mandatory, onSuccess, optional } from "../../fields/field.ts";
import { anyOf } from "../../fields/schema.ts";
import { text } from "../../fields/text-types.ts";
import { FreeForm, Money, Reference, Timestamp, TrueFalseText } from "../../fields/types.ts";
import { defineOperation } from "../../operation.ts";
import { blank, inAnyCase } from "../../shapes/alternatives.ts";
import { holdCases } from "../../shapes/cases.ts";

export const authVoid = defineOperation({
  code: "67",
  name: "authVoid",
  path: "auth/void",
  kind: "write",
  direction: "toProvider",
  about: {
    noun: "hold",
    placedBy: { numbers: ["originalReferenceNo"] },
    amount: "voidAmount",
    number: "voidNo",
    partnerNumber: "partnerVoidNo",
    startsFrom: "authPayment",
    within: "originalReferenceNo",
    exampleStatus: "00",
    inquiry: "authVoidQuery",
    doneAt: ["00"],
    failedAt: [],
  },
  title: "Void a held payment",
  titleTranslations: { id: "Void pembayaran yang ditahan" },
  description: "Releases what a hold still holds: `voidAmount` of it, or without one all that remains.",
  descriptionTranslations: {
    id: "Melepas dana yang masih ditahan: sebesar `voidAmount`, atau tanpa itu seluruh sisanya.",
  },
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
  // Neither an amount nor all that remains (spec D10).
  findMissing: ({ voidAmount, voidRemainingAmount }) =>
    voidAmount === undefined && typeof voidRemainingAmount === "string" && voidRemainingAmount.toLowerCase() === "false"
      ? "voidAmount"
      : undefined,
  alternatives: [
    { required: ["voidAmount"] },
    { properties: { voidRemainingAmount: anyOf([blank, inAnyCase("true")], { description: "True, or absent." }) } },
  ],
  cases: holdCases,
  example: {
    request: {
      originalReferenceNo: "01JD7K3M9QZ8V2X4B6N8P0R2T4",
      originalPartnerReferenceNo: "ORDER-2026-000123",
      merchantId: "M-0001",
      partnerVoidNo: "VOID-0001",
      voidRemainingAmount: "true",
      reason: "Nothing more to charge",
    },
    response: {
      partnerVoidNo: "VOID-0001",
      voidAmount: { value: "30000.00", currency: "IDR" },
      originalReferenceNo: "01JD7K3M9QZ8V2X4B6N8P0R2T4",
      originalPartnerReferenceNo: "ORDER-2026-000123",
      voidNo: "01JD7K6A1B2C3D4E5F6G7H8J9K",
      voidTime: "2026-11-23T09:45:00+07:00",
    },
  },
});
