/** Examples of 22 and 23 and of their notifications: the same transfer but for its numbers and amount. */

interface ClearingExample {
  readonly partnerReferenceNo: string;
  readonly referenceNo: string;
  readonly externalId: string;
  readonly amount: { readonly value: string; readonly currency: string };
}

export const rtgsExample: ClearingExample = {
  partnerReferenceNo: "TRF-2026-000003",
  referenceNo: "01JD7KAD2E3F4G5H6J7K8M9N0P",
  externalId: "202611210000000003",
  amount: { value: "150000000.00", currency: "IDR" },
};

export const sknExample: ClearingExample = {
  partnerReferenceNo: "TRF-2026-000004",
  referenceNo: "01JD7KBE3F4G5H6J7K8M9N0P1Q",
  externalId: "202611210000000004",
  amount: { value: "25000000.00", currency: "IDR" },
};

/** Example of 22 and 23. */
export const clearingExample = ({ partnerReferenceNo, referenceNo, amount }: ClearingExample) =>
  ({
    request: {
      partnerReferenceNo,
      amount,
      beneficiaryAccountNo: "1370001234567",
      beneficiaryAccountName: "PT Contoh Makmur",
      beneficiaryBankCode: "008",
      sourceAccountNo: "1000000001",
      transactionDate: "2026-11-21T10:00:00+07:00",
      beneficiaryCustomerResidence: "1",
      beneficiaryCustomerType: "2",
      kodepos: "10110",
      senderCustomerResidence: "1",
      senderCustomerType: "2",
    },
    response: {
      referenceNo,
      partnerReferenceNo,
      amount,
      beneficiaryAccountNo: "1370001234567",
      sourceAccountNo: "1000000001",
      transactionDate: "2026-11-21T10:00:00+07:00",
      transactionStatus: "03",
      transactionStatusDesc: "Pending",
    },
  }) as const;

/** Example of 75 and 76. */
export const settlementExample = ({ partnerReferenceNo, referenceNo, externalId, amount }: ClearingExample) =>
  ({
    request: {
      latestTransactionStatus: "00",
      beneficiaryAccountName: "PT Contoh Makmur",
      beneficiaryAccountNo: "1370001234567",
      beneficiaryBankCode: "008",
      sourceAccountNo: "1000000001",
      transactionDate: "2026-11-21T10:00:00+07:00",
      originalPartnerReferenceNo: partnerReferenceNo,
      originalReferenceNo: referenceNo,
      originalExternalId: externalId,
      amount,
      additionalInfo: { partnerId: "SHOP01" },
    },
    response: {},
  }) as const;
