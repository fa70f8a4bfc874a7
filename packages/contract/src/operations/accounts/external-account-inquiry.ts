/** Code 16: a beneficiary account at another bank. */
import { mandatory, optional } from "../../fields/field.ts";
import { text } from "../../fields/text-types.ts";
import { AccountName, AccountNo, BankCode, Currency, FreeForm, Reference } from "../../fields/types.ts";
import { defineOperation } from "../../operation.ts";

export const externalAccountInquiry = defineOperation({
  code: "16",
  name: "externalAccountInquiry",
  path: "account-inquiry-external",
  kind: "read",
  direction: "toProvider",
  about: {
    noun: "account",
    placedBy: { account: "beneficiaryAccountNo", bank: "beneficiaryBankCode" },
    startsFrom: undefined,
    looksUp: "beneficiaryAccountNo",
  },
  title: "Inquire an account of another bank",
  titleTranslations: { id: "Periksa rekening bank lain" },
  description: "Returns the name of the holder of an account at another bank.",
  descriptionTranslations: { id: "Memberikan nama pemilik sebuah rekening di bank lain." },
  request: {
    beneficiaryAccountNo: mandatory(AccountNo),
    beneficiaryBankCode: mandatory(BankCode),
    partnerReferenceNo: optional(Reference),
    additionalInfo: optional(FreeForm),
  },
  response: {
    beneficiaryAccountName: mandatory(AccountName),
    beneficiaryAccountNo: mandatory(AccountNo),
    referenceNo: optional(Reference),
    partnerReferenceNo: optional(Reference),
    beneficiaryBankName: optional(text(50)),
    currency: optional(Currency),
    additionalInfo: optional(FreeForm),
  },
  cases: ["invalidAccount", "inactiveAccount", "bankNotSupported", "timeout"],
  example: {
    request: {
      beneficiaryAccountNo: "8888801000157508",
      beneficiaryBankCode: "014",
      partnerReferenceNo: "INQ-2026-000002",
    },
    response: {
      beneficiaryAccountName: "Siti Nur Aini",
      beneficiaryAccountNo: "8888801000157508",
      partnerReferenceNo: "INQ-2026-000002",
      beneficiaryBankName: "BCA",
      currency: "IDR",
    },
  },
});
