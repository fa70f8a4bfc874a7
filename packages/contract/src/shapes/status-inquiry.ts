/** The status inquiry, which 36 and 53 share. */
import { isBlank, mandatory, optional } from "../fields/field.ts";
import { text } from "../fields/text-types.ts";
import {
  AccountNo,
  BankCode,
  ExternalId,
  FreeForm,
  Money,
  Reference,
  ResponseCode,
  SourceAccountNo,
  Timestamp,
  TransactionStatus,
  TransferServiceCode,
} from "../fields/types.ts";

/** Request of 36. */
export const statusInquiryRequest = {
  serviceCode: mandatory(TransferServiceCode),
  originalPartnerReferenceNo: optional(Reference),
  originalReferenceNo: optional(Reference),
  originalExternalId: optional(ExternalId),
  transactionDate: optional(Timestamp),
  amount: optional(Money),
  additionalInfo: optional(FreeForm),
};

/** Without any of its three references the first is missing (decision D15). */
export function missesReference(sent: Readonly<Record<string, unknown>>): string | undefined {
  const { originalPartnerReferenceNo, originalReferenceNo, originalExternalId } = sent;
  return [originalPartnerReferenceNo, originalReferenceNo, originalExternalId].every(isBlank)
    ? "originalPartnerReferenceNo"
    : undefined;
}

/** Response of 36 and 53: flat; the request's fields are optional here. */
export const statusInquiryResponse = {
  beneficiaryAccountNo: mandatory(AccountNo),
  referenceNumber: mandatory(text(30)),
  sourceAccountNo: mandatory(SourceAccountNo),
  latestTransactionStatus: mandatory(TransactionStatus),
  originalPartnerReferenceNo: optional(Reference),
  originalReferenceNo: optional(Reference),
  originalExternalId: optional(ExternalId),
  serviceCode: optional(TransferServiceCode),
  transactionDate: optional(Timestamp),
  amount: optional(Money),
  beneficiaryBankCode: optional(BankCode),
  previousResponseCode: optional(ResponseCode),
  transactionId: optional(text(8)),
  transactionStatusDesc: optional(text(50)),
  additionalInfo: optional(FreeForm),
};
