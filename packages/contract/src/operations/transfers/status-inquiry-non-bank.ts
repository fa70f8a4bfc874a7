/** Code 53: as 36, with four more fields in the request. The path is shared with QR payments, the category is not. */
import { optional } from "../../fields/field.ts";
import { text } from "../../fields/text-types.ts";
import { ResponseCode, ResponseMessage } from "../../fields/types.ts";
import { defineOperation } from "../../operation.ts";
import {
  anyReference,
  findMissingReference,
  statusInquiryRequest,
  statusInquiryResponse,
} from "../../shapes/status-inquiry.ts";

export const statusInquiryNonBank = defineOperation({
  code: "53",
  name: "statusInquiryNonBank",
  path: "qr/qr-mpm-status",
  kind: "read",
  direction: "toProvider",
  about: {
    noun: "transfer",
    placedBy: { numbers: ["originalReferenceNo"] },
    startsFrom: "intrabankTransfer",
    tells: { asked: "originalPartnerReferenceNo", status: "latestTransactionStatus", number: "referenceNumber" },
  },
  title: "Status of a transfer, non-bank",
  titleTranslations: { id: "Status transfer, non-bank" },
  description:
    "The status inquiry for callers that are not banks: as that for banks, with four more fields in the request.",
  descriptionTranslations: {
    id: "Pengecekan status untuk pemanggil yang bukan bank: sama seperti untuk bank, dengan empat field tambahan dalam permintaan.",
  },
  request: {
    ...statusInquiryRequest,
    originalResponseCode: optional(ResponseCode),
    originalResponseMessage: optional(ResponseMessage),
    sessionId: optional(text(25)),
    requestId: optional(text(25)),
  },
  response: statusInquiryResponse,
  findMissing: findMissingReference,
  alternatives: anyReference,
  cases: ["transactionNotFound"],
  example: {
    request: { serviceCode: "23", originalPartnerReferenceNo: "TRF-2026-000004", sessionId: "INV-17" },
    response: {
      beneficiaryAccountNo: "1370001234567",
      referenceNumber: "01JD7KBE3F4G5H6J7K8M9N0P1Q",
      sourceAccountNo: "1000000001",
      latestTransactionStatus: "03",
      originalPartnerReferenceNo: "TRF-2026-000004",
      originalReferenceNo: "01JD7KBE3F4G5H6J7K8M9N0P1Q",
      originalExternalId: "202611210000000004",
      serviceCode: "23",
      transactionDate: "2026-11-21T10:00:00+07:00",
      amount: { value: "25000000.00", currency: "IDR" },
      beneficiaryBankCode: "008",
      previousResponseCode: "2002300",
      transactionStatusDesc: "Pending",
      additionalInfo: { fee: "2900.00" },
    },
  },
});
