/** Code 76: the final result of a transfer by 22. The reply is the envelope alone. */
import { defineOperation } from "../../operation.ts";
import { settlementNotification } from "../../shapes/settlement-notification.ts";

export const rtgsNotification = defineOperation({
  code: "76",
  name: "rtgsNotification",
  path: "transfer-rtgs/notify",
  kind: "notification",
  direction: "toPartner",
  title: "Result of an RTGS transfer",
  description: "Sent for every final result of an RTGS transfer.",
  request: settlementNotification,
  response: {},
  cases: [],
  example: {
    request: {
      latestTransactionStatus: "00",
      beneficiaryAccountName: "PT Contoh Makmur",
      beneficiaryAccountNo: "1370001234567",
      beneficiaryBankCode: "008",
      sourceAccountNo: "1000000001",
      transactionDate: "2026-11-21T10:00:00+07:00",
      originalPartnerReferenceNo: "TRF-2026-000003",
      originalReferenceNo: "01JD7KAD2E3F4G5H6J7K8M9N0P",
      originalExternalId: "202611210000000003",
      amount: { value: "150000000.00", currency: "IDR" },
    },
    response: {},
  },
});
