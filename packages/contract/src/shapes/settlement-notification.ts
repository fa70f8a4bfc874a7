/** The body of the settlement notifications 75 and 76. */
import { mandatory, optional } from "../fields/field.ts";
import {
  AccountName,
  AccountNo,
  BankCode,
  ExternalId,
  freeFormWith,
  Money,
  Reference,
  SourceAccountNo,
  Timestamp,
  TransactionStatus,
} from "../fields/types.ts";
import { notificationInfo } from "./notification-info.ts";
import { Rejection } from "./rejection.ts";

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
  additionalInfo: optional(
    freeFormWith({ ...notificationInfo, rejection: optional(Rejection) }),
    "That of the request, under value where it was no object, with members of ours, which win over those of the same name.",
  ),
};
