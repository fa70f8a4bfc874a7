/** Code 36: what became of a transfer. */
import { defineOperation } from "../operation.ts";
import { statusInquiryRequest, statusInquiryResponse } from "../shapes/status-inquiry.ts";

export const statusInquiryBank = defineOperation({
  code: "36",
  name: "statusInquiryBank",
  path: "transfer/status",
  kind: "read",
  direction: "toProvider",
  title: "Status of a transfer, bank",
  description: "Tells what became of a transfer. Any of its three references will do; all that are given must agree.",
  request: statusInquiryRequest,
  response: statusInquiryResponse,
  cases: ["transactionNotFound"],
  example: {
    request: { serviceCode: "17", originalPartnerReferenceNo: "TRF-2026-000001" },
    response: {
      beneficiaryAccountNo: "2000000001",
      referenceNumber: "01JD7K8B0C1D2E3F4G5H6J7K8M",
      sourceAccountNo: "1000000001",
      latestTransactionStatus: "00",
      originalPartnerReferenceNo: "TRF-2026-000001",
      serviceCode: "17",
      transactionDate: "2026-11-21T10:00:00+07:00",
      amount: { value: "250000.00", currency: "IDR" },
      previousResponseCode: "2001700",
      transactionStatusDesc: "Success",
    },
  },
});
