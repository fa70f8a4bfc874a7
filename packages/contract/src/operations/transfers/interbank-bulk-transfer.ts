/** Code 20: many transfers in one instruction; notification 21 reports the results. */
import { mandatory, optional } from "../../fields/field.ts";
import { text } from "../../fields/text-types.ts";
import {
  AccountName,
  BankCode,
  Currency,
  FeeType,
  FreeForm,
  listOf,
  Money,
  RailAccountNo,
  Reference,
  SourceAccountNo,
  Timestamp,
} from "../../fields/types.ts";
import { defineOperation } from "../../operation.ts";
import { payingCases } from "../../shapes/cases.ts";
import { OriginatorInfos } from "../../shapes/originators.ts";

/** One instruction of the bulk. */
const bulkItem = {
  partnerReferenceNo: mandatory(Reference),
  bankCode: mandatory(BankCode),
  beneficiaryAccountNo: mandatory(RailAccountNo),
  beneficiaryAccountName: mandatory(AccountName),
  amount: mandatory(Money),
  originatorInfos: optional(OriginatorInfos),
  additionalInfo: optional(FreeForm),
};

export const interbankBulkTransfer = defineOperation({
  code: "20",
  name: "interbankBulkTransfer",
  path: "transfer-interbank-bulk",
  kind: "write",
  direction: "toProvider",
  about: {
    noun: "bulk",
    placedBy: { payer: "sourceAccountNo" },
    amount: "bulkObject[].amount",
    number: "bulkId",
    partnerNumber: "partnerBulkId",
    rail: "interbank",
    notifiedBy: "bulkNotification",
    exampleStatus: "03",
    inquiry: "statusInquiryBank",
    doneAt: ["00"],
    failedAt: ["04", "05", "06"],
  },
  title: "Transfer in bulk to other banks",
  titleTranslations: { id: "Transfer massal ke bank lain" },
  description:
    "Many transfers to other banks in one instruction, accepted as a whole or not at all: a rejection names the first item that it applies to. The response says that the bulk was accepted; the bulk notification reports the result of each item, and the status inquiry that of the bulk so far.",
  descriptionTranslations: {
    id: "Banyak transfer ke bank lain dalam satu instruksi, diterima seluruhnya atau tidak sama sekali: penolakan menyebut item pertama yang terkena. Respons menyatakan bahwa transfer massal diterima; notifikasinya melaporkan hasil setiap item, dan pengecekan status hasilnya sejauh ini.",
  },
  request: {
    customerReference: mandatory(text(30)),
    sourceAccountNo: mandatory(SourceAccountNo),
    transactionDate: mandatory(Timestamp),
    bulkObject: mandatory(listOf(bulkItem, { min: 1, max: 10_000 })),
    partnerBulkId: optional(Reference),
    currency: optional(Currency),
    feeType: optional(FeeType),
    remark: optional(text(50)),
    additionalInfo: optional(FreeForm),
  },
  response: {
    bulkId: optional(Reference),
    partnerBulkId: optional(Reference),
    additionalInfo: optional(FreeForm),
  },
  cases: [...payingCases, "bankNotSupported"],
  itemFields: {
    invalidMandatoryField: "bulkObject[0].bankCode",
    invalidFieldFormat: "bulkObject[1].partnerReferenceNo",
    duplicatePartnerReferenceNo: "bulkObject[0].partnerReferenceNo",
    inconsistentRequest: "bulkObject[0].partnerReferenceNo",
    bankNotSupported: "bulkObject[0].bankCode",
    exceedsTransactionAmountLimit: "bulkObject[0].amount.value",
    invalidAmount: "bulkObject[0].amount.value",
  },
  example: {
    request: {
      customerReference: "PAYROLL 2026-11",
      sourceAccountNo: "1000000001",
      transactionDate: "2026-11-21T10:00:00+07:00",
      bulkObject: [
        {
          partnerReferenceNo: "PAY-0001",
          bankCode: "014",
          beneficiaryAccountNo: "8888801000157508",
          beneficiaryAccountName: "Siti Nur Aini",
          amount: { value: "4500000.00", currency: "IDR" },
        },
        {
          partnerReferenceNo: "PAY-0002",
          bankCode: "BMRIIDJA",
          beneficiaryAccountNo: "1370001234567",
          beneficiaryAccountName: "Budi Santoso",
          amount: { value: "5250000.00", currency: "IDR" },
        },
      ],
      partnerBulkId: "BULK-2026-11",
      currency: "IDR",
    },
    response: { bulkId: "01JD7K9N2P3Q4R5S6T7V8W9X0Y", partnerBulkId: "BULK-2026-11" },
  },
});
