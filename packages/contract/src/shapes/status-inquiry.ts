/** The status inquiry, which 36 and 53 share. */
import { isBlank, mandatory, optional } from "../fields/field.ts";
import { orEmpty, text } from "../fields/text-types.ts";
import {
  AccountNo,
  BankCode,
  ExternalId,
  FreeForm,
  freeFormWith,
  Money,
  MoneyValue,
  Reference,
  ResponseCode,
  SourceAccountNo,
  Timestamp,
  TransactionStatus,
  TransferServiceCode,
} from "../fields/types.ts";
import { given } from "./alternatives.ts";
import { Rejection } from "./rejection.ts";

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

const references = ["originalPartnerReferenceNo", "originalReferenceNo", "originalExternalId"] as const;

/** One of the three references is needed; without any the first is missing (spec D15). */
export function findMissingReference(sent: Readonly<Record<string, unknown>>): string | undefined {
  return references.every((name) => isBlank(sent[name])) ? references[0] : undefined;
}

/** The same rule, as schemas. */
export const anyReference = references.map((name) => given(name));

/** Response of 36 and 53: flat; the request's fields are optional here. */
export const statusInquiryResponse = {
  beneficiaryAccountNo: mandatory(orEmpty(AccountNo)),
  referenceNumber: mandatory(orEmpty(text(30))),
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
  additionalInfo: optional(
    freeFormWith({
      fee: optional(MoneyValue),
      rejection: optional(Rejection),
      itemCount: optional(text(5)),
      settledCount: optional(text(5)),
      rejectedCount: optional(text(5)),
      returnedCount: optional(text(5)),
      openCount: optional(text(5)),
    }),
    "The fee; of a rejected transfer the rejection; of a bulk its items by their results. The request's members beside them.",
  ),
};
