/** Code 18: to another bank, online. */
import { defineOperation } from "../../operation.ts";
import { transferCases } from "../../shapes/cases.ts";
import { interbankRequest, interbankResponse } from "../../shapes/transfer.ts";

export const interbankTransfer = defineOperation({
  code: "18",
  name: "interbankTransfer",
  path: "transfer-interbank",
  kind: "write",
  direction: "toProvider",
  about: {
    noun: "transfer",
    placedBy: { payer: "sourceAccountNo" },
    amount: "amount",
    number: "referenceNo",
    partnerNumber: "partnerReferenceNo",
    rail: "interbank",
    notifiedBy: undefined,
    exampleStatus: "00",
    inquiry: "statusInquiryBank",
    doneAt: ["00"],
    failedAt: ["04", "05", "06"],
  },
  title: "Transfer to another bank",
  titleTranslations: { id: "Transfer ke bank lain" },
  description:
    "Moves money to an account of another bank, online. A rejection by the rail within the call is returned, with the money back. If the rail has not answered in time the response is 202, and the status inquiry reports the result.",
  descriptionTranslations: {
    id: "Memindahkan uang ke rekening bank lain, secara online. Penolakan oleh jaringan selama panggilan langsung dijawab, dan uangnya kembali. Bila jaringan belum menjawab pada waktunya, responsnya 202, dan pengecekan status melaporkan hasilnya.",
  },
  request: interbankRequest,
  response: interbankResponse,
  cases: [...transferCases, "bankNotSupported", "doNotHonor", "requestInProgress"],
  example: {
    request: {
      partnerReferenceNo: "TRF-2026-000002",
      amount: { value: "10000.00", currency: "IDR" },
      beneficiaryAccountNo: "8888801000157508",
      beneficiaryAccountName: "Siti Nur Aini",
      beneficiaryBankCode: "014",
      sourceAccountNo: "1000000001",
      transactionDate: "2026-11-21T10:00:00+07:00",
      beneficiaryBankName: "BCA",
      beneficiaryEmail: "siti@example.com",
      feeType: "OUR",
    },
    response: {
      referenceNo: "01JD7K9C1D2E3F4G5H6J7K8M9N",
      partnerReferenceNo: "TRF-2026-000002",
      amount: { value: "10000.00", currency: "IDR" },
      beneficiaryAccountNo: "8888801000157508",
      sourceAccountNo: "1000000001",
      transactionDate: "2026-11-21T10:00:00+07:00",
      traceNo: "20261121000002",
    },
  },
});
