/** Code 15: a beneficiary account on the provider's ledger. */
import { mandatory, optional } from "../../fields/field.ts";
import { text } from "../../fields/text-types.ts";
import { AccountName, AccountNo, AccountType, Currency, FreeForm, Reference } from "../../fields/types.ts";
import { defineOperation } from "../../operation.ts";

export const internalAccountInquiry = defineOperation({
  code: "15",
  name: "internalAccountInquiry",
  path: "account-inquiry-internal",
  kind: "read",
  direction: "toProvider",
  about: {
    noun: "account",
    placedBy: { account: "beneficiaryAccountNo" },
    startsFrom: undefined,
    looksUp: "beneficiaryAccountNo",
  },
  title: "Inquire an account of the bank",
  titleTranslations: { id: "Periksa rekening bank ini" },
  description: "Returns holder, status and type of an account at the provider.",
  descriptionTranslations: { id: "Memberikan pemilik, status, dan jenis sebuah rekening di penyedia layanan." },
  request: {
    beneficiaryAccountNo: mandatory(AccountNo),
    partnerReferenceNo: optional(Reference),
    additionalInfo: optional(FreeForm),
  },
  response: {
    beneficiaryAccountName: mandatory(AccountName),
    beneficiaryAccountNo: mandatory(AccountNo),
    referenceNo: optional(Reference),
    partnerReferenceNo: optional(Reference),
    beneficiaryAccountStatus: optional(text(16)),
    beneficiaryAccountType: optional(AccountType),
    currency: optional(Currency),
    additionalInfo: optional(FreeForm),
  },
  cases: ["invalidAccount", "inactiveAccount"],
  example: {
    request: { beneficiaryAccountNo: "2000000001", partnerReferenceNo: "INQ-2026-000001" },
    response: {
      beneficiaryAccountName: "Siti Nur Aini",
      beneficiaryAccountNo: "2000000001",
      partnerReferenceNo: "INQ-2026-000001",
      beneficiaryAccountStatus: "Rekening aktif",
      beneficiaryAccountType: "S",
      currency: "IDR",
    },
  },
});
