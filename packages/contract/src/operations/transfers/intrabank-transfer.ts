/** Code 17: both sides on the provider's ledger. */
import { defineOperation } from "../../operation.ts";
import { transferCases } from "../../shapes/cases.ts";
import { intrabankRequest, intrabankResponse } from "../../shapes/transfer.ts";

export const intrabankTransfer = defineOperation({
  code: "17",
  name: "intrabankTransfer",
  path: "transfer-intrabank",
  kind: "write",
  direction: "toProvider",
  about: {
    noun: "transfer",
    placedBy: { payer: "sourceAccountNo", payee: "beneficiaryAccountNo" },
    amount: "amount",
    number: "referenceNo",
    partnerNumber: "partnerReferenceNo",
    rail: undefined,
    notifiedBy: undefined,
    exampleStatus: "00",
    inquiry: "statusInquiryBank",
    doneAt: ["00"],
    failedAt: ["04", "05", "06"],
  },
  title: "Transfer within the bank",
  titleTranslations: { id: "Transfer dalam bank" },
  description: "Moves money between two accounts of the provider. The response is final.",
  descriptionTranslations: { id: "Memindahkan uang antara dua rekening di penyedia layanan. Responsnya final." },
  request: intrabankRequest,
  response: intrabankResponse,
  cases: transferCases,
  example: {
    request: {
      partnerReferenceNo: "TRF-2026-000001",
      amount: { value: "250000.00", currency: "IDR" },
      beneficiaryAccountNo: "2000000001",
      sourceAccountNo: "1000000001",
      transactionDate: "2026-11-21T10:00:00+07:00",
      currency: "IDR",
      customerReference: "INV 10052031",
      feeType: "OUR",
      remark: "Invoice 10052031",
      originatorInfos: [
        { originatorCustomerNo: "999901000003300", originatorCustomerName: "Siti Nur Aini", originatorBankCode: "008" },
      ],
    },
    response: {
      referenceNo: "01JD7K8B0C1D2E3F4G5H6J7K8M",
      partnerReferenceNo: "TRF-2026-000001",
      amount: { value: "250000.00", currency: "IDR" },
      beneficiaryAccountNo: "2000000001",
      currency: "IDR",
      customerReference: "INV 10052031",
      sourceAccountNo: "1000000001",
      transactionDate: "2026-11-21T10:00:00+07:00",
      originatorInfos: [
        { originatorCustomerNo: "999901000003300", originatorCustomerName: "Siti Nur Aini", originatorBankCode: "008" },
      ],
    },
  },
});
