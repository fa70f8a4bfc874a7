/** Code 23: settled in batches; notification 75 reports the result. */
import { defineOperation } from "../../operation.ts";
import { payingCases } from "../../shapes/cases.ts";
import { clearingExample, sknExample } from "../../shapes/clearing-examples.ts";
import { clearingRequest, clearingResponse } from "../../shapes/transfer.ts";

export const sknTransfer = defineOperation({
  code: "23",
  name: "sknTransfer",
  path: "transfer-skn",
  kind: "write",
  direction: "toProvider",
  about: {
    noun: "transfer",
    placedBy: { payer: "sourceAccountNo" },
    amount: "amount",
    number: "referenceNo",
    partnerNumber: "partnerReferenceNo",
    rail: "skn",
    notifiedBy: "sknNotification",
    exampleStatus: "03",
    inquiry: "statusInquiryBank",
    doneAt: ["00"],
    failedAt: ["04", "05", "06"],
  },
  title: "Transfer by SKNBI",
  titleTranslations: { id: "Transfer melalui SKNBI" },
  description:
    "Moves money to another bank in the next clearing batch. The response says that it was accepted; the status inquiry and the SKNBI notification report the result.",
  descriptionTranslations: {
    id: "Memindahkan uang ke bank lain dalam batch kliring berikutnya. Respons menyatakan bahwa transfer diterima; pengecekan status dan notifikasi SKNBI melaporkan hasilnya.",
  },
  request: clearingRequest,
  response: clearingResponse,
  cases: [...payingCases, "bankNotSupported"],
  example: clearingExample(sknExample),
});
