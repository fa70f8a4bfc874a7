/** Code 22: large amounts, settled one by one; notification 76 reports the result. */
import { defineOperation } from "../../operation.ts";
import { payingCases } from "../../shapes/cases.ts";
import { clearingExample, rtgsExample } from "../../shapes/clearing-examples.ts";
import { clearingRequest, clearingResponse } from "../../shapes/transfer.ts";

export const rtgsTransfer = defineOperation({
  code: "22",
  name: "rtgsTransfer",
  path: "transfer-rtgs",
  kind: "write",
  direction: "toProvider",
  about: {
    noun: "transfer",
    placedBy: { payer: "sourceAccountNo" },
    amount: "amount",
    number: "referenceNo",
    partnerNumber: "partnerReferenceNo",
    rail: "rtgs",
    notifiedBy: "rtgsNotification",
    exampleStatus: "03",
    inquiry: "statusInquiryBank",
    doneAt: ["00"],
    failedAt: ["04", "05", "06"],
  },
  title: "Transfer by RTGS",
  titleTranslations: { id: "Transfer melalui RTGS" },
  description:
    "Moves a large amount to another bank, settled one by one. The response says that it was accepted; the status inquiry and the RTGS notification report the result.",
  descriptionTranslations: {
    id: "Memindahkan jumlah besar ke bank lain, diselesaikan satu per satu. Respons menyatakan bahwa transfer diterima; pengecekan status dan notifikasi RTGS melaporkan hasilnya.",
  },
  request: clearingRequest,
  response: clearingResponse,
  cases: [...payingCases, "bankNotSupported"],
  example: clearingExample(rtgsExample),
});
