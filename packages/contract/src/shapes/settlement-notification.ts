/** The body of the settlement notifications 75 and 76. */
import { mandatory, optional } from "../fields/field.ts";
import {
  AccountName,
  AccountNo,
  BankCode,
  ExternalId,
  FreeForm,
  Money,
  Reference,
  SourceAccountNo,
  Timestamp,
  TransactionStatus,
} from "../fields/types.ts";

export const settlementNotification = {
  latestTransactionStatus: mandatory(TransactionStatus),
  beneficiaryAccountName: mandatory(AccountName),
  beneficiaryAccountNo: mandatory(AccountNo),
  beneficiaryBankCode: mandatory(BankCode),
  sourceAccountNo: mandatory(SourceAccountNo),
  transactionDate: mandatory(Timestamp),
  originalPartnerReferenceNo: optional(Reference),
  originalReferenceNo: optional(Reference),
  originalExternalId: optional(ExternalId),
  amount: optional(Money),
  additionalInfo: optional(FreeForm),
};
