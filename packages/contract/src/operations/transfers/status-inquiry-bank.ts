/** Code 36: the status of a transfer. */
import { defineOperation } from "../../operation.ts";
import {
  anyReference,
  findMissingReference,
  statusInquiryRequest,
  statusInquiryResponse,
} from "../../shapes/status-inquiry.ts";

export const statusInquiryBank = defineOperation({
  code: "36",
  name: "statusInquiryBank",
  path: "transfer/status",
  kind: "read",
  direction: "toProvider",
  about: {
    noun: "transfer",
    placedBy: { numbers: ["originalReferenceNo"] },
    startsFrom: "intrabankTransfer",
    tells: { asked: "originalPartnerReferenceNo", status: "latestTransactionStatus", number: "referenceNumber" },
  },
  title: "Status of a transfer, bank",
  titleTranslations: { id: "Status transfer, bank" },
  description:
    "Reports the status of a transfer. One of its three references is enough; all references in the request must match. Of a bulk transfer (20) it reports an item by the item's number, or the bulk, with its items counted by result.",
  descriptionTranslations: {
    id: "Melaporkan status sebuah transfer. Satu dari ketiga referensinya cukup; semua referensi dalam permintaan harus cocok. Dari transfer massal (20) dilaporkan sebuah item menurut nomor item, atau seluruhnya, dengan jumlah item menurut hasilnya.",
  },
  request: statusInquiryRequest,
  response: statusInquiryResponse,
  findMissing: findMissingReference,
  alternatives: anyReference,
  cases: ["transactionNotFound"],
  example: {
    request: { serviceCode: "18", originalPartnerReferenceNo: "TRF-2026-000002" },
    response: {
      beneficiaryAccountNo: "8888801000157508",
      referenceNumber: "01JD7K9C1D2E3F4G5H6J7K8M9N",
      sourceAccountNo: "1000000001",
      latestTransactionStatus: "00",
      originalPartnerReferenceNo: "TRF-2026-000002",
      originalReferenceNo: "01JD7K9C1D2E3F4G5H6J7K8M9N",
      originalExternalId: "202611210000000002",
      serviceCode: "18",
      transactionDate: "2026-11-21T10:00:00+07:00",
      amount: { value: "10000.00", currency: "IDR" },
      beneficiaryBankCode: "014",
      previousResponseCode: "2001800",
      transactionStatusDesc: "Success",
      additionalInfo: { fee: "2500.00" },
    },
  },
});
