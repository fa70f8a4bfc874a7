/** Code 21: one entry an item, when all are final. An entry is a result, not an instruction. */
import { mandatory, optional } from "../../fields/field.ts";
import { FreeForm, freeFormWith, listOf, Reference, ResponseCode, ResponseMessage } from "../../fields/types.ts";
import { defineOperation } from "../../operation.ts";
import { notificationInfo } from "../../shapes/notification-info.ts";

/** The result of one item. */
const bulkResult = {
  partnerReferenceNo: mandatory(Reference),
  responseCode: mandatory(ResponseCode),
  responseMessage: mandatory(ResponseMessage),
};

export const bulkNotification = defineOperation({
  code: "21",
  name: "bulkNotification",
  path: "transfer-interbank-bulk/notify",
  kind: "notification",
  direction: "toPartner",
  about: { noun: "bulk" },
  title: "Results of a bulk transfer",
  titleTranslations: { id: "Hasil transfer massal" },
  description: "Sent when every item of a bulk is final: one entry an item, in the order of the request.",
  descriptionTranslations: {
    id: "Dikirim setelah setiap item sebuah transfer massal final: satu entri per item, menurut urutan permintaan.",
  },
  request: {
    bulkId: mandatory(Reference),
    partnerBulkId: mandatory(Reference),
    bulkObject: mandatory(listOf(bulkResult, { min: 1, max: 10_000 })),
    additionalInfo: optional(freeFormWith(notificationInfo), "Members of ours; nothing of the request."),
  },
  response: {
    bulkId: optional(Reference),
    partnerBulkId: optional(Reference),
    additionalInfo: optional(FreeForm),
  },
  cases: [],
  example: {
    request: {
      bulkId: "01JD7K9N2P3Q4R5S6T7V8W9X0Y",
      partnerBulkId: "BULK-2026-11",
      bulkObject: [
        { partnerReferenceNo: "PAY-0001", responseCode: "2002000", responseMessage: "Successful" },
        {
          partnerReferenceNo: "PAY-0002",
          responseCode: "4042011",
          responseMessage: "Invalid Card/Account/Customer/Virtual Account",
        },
      ],
      additionalInfo: { partnerId: "SHOP01" },
    },
    response: { bulkId: "01JD7K9N2P3Q4R5S6T7V8W9X0Y", partnerBulkId: "BULK-2026-11" },
  },
});
