/** Code 75: the final result of a transfer by 23. The reply is the envelope alone. */
import { defineOperation } from "../../operation.ts";
import { settlementNotification } from "../../shapes/settlement-notification.ts";

export const sknNotification = defineOperation({
  code: "75",
  name: "sknNotification",
  path: "transfer-skn/notify",
  kind: "notification",
  direction: "toPartner",
  title: "Result of an SKNBI transfer",
  description: "Sent for every final result of an SKNBI transfer.",
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
      originalPartnerReferenceNo: "TRF-2026-000004",
      originalReferenceNo: "01JD7KBE3F4G5H6J7K8M9N0P1Q",
      originalExternalId: "202611210000000004",
      amount: { value: "25000000.00", currency: "IDR" },
    },
    response: {},
  },
});
