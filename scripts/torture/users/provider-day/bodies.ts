/** Requests of the partner's transfers. */
import { formatTimestamp } from "@titian/contract";
import { accounts } from "./day.ts";
import { otherBank } from "./rail-side.ts";

export const rupiah = (value: string) => ({ value, currency: "IDR" });
/** The standard's form, at Jakarta's time. */
export const at = (ms = Date.now()): string => formatTimestamp(ms);

/** 17: within the bank. */
export const within = (partnerReferenceNo: string, value: string) => ({
  partnerReferenceNo,
  amount: rupiah(value),
  beneficiaryAccountNo: accounts.other,
  sourceAccountNo: accounts.payer,
  transactionDate: at(),
});

/** 18: to another bank. */
export function interbankTo(beneficiaryAccountNo: string, partnerReferenceNo: string, value: string) {
  return {
    partnerReferenceNo,
    amount: rupiah(value),
    beneficiaryAccountNo,
    beneficiaryAccountName: otherBank.name,
    beneficiaryBankCode: otherBank.bankCode,
    sourceAccountNo: accounts.payer,
    transactionDate: at(),
  };
}

/** 22 and 23. */
export const clearing = (partnerReferenceNo: string, value: string) =>
  ({
    ...interbankTo(otherBank.accountNo, partnerReferenceNo, value),
    beneficiaryCustomerResidence: "1",
    beneficiaryCustomerType: "2",
  }) as const;

/** 36 and 53: about a transfer of 18. */
export const statusOf = (originalPartnerReferenceNo: string) =>
  ({ serviceCode: "18", originalPartnerReferenceNo }) as const;
