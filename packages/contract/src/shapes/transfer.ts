/** Fields that the transfers 17, 18, 22 and 23 share. */
import { conditional, mandatory, optional } from "../fields/field.ts";
import { text } from "../fields/text-types.ts";
import {
  AccountName,
  AccountNo,
  AccountType,
  BankCode,
  Currency,
  CustomerType,
  Email,
  FeeType,
  FreeForm,
  Money,
  RailAccountNo,
  Reference,
  Residence,
  SourceAccountNo,
  Timestamp,
  TransactionStatus,
} from "../fields/types.ts";
import { OriginatorInfos } from "./originators.ts";

/** Optional in every transfer request. */
const transferOptions = {
  beneficiaryEmail: optional(Email),
  currency: optional(Currency),
  customerReference: optional(text(30)),
  feeType: optional(FeeType),
  remark: optional(text(50)),
};

const transferTail = {
  additionalInfo: optional(FreeForm),
  originatorInfos: conditional(OriginatorInfos),
};

/** Request of 17. */
export const intrabankRequest = {
  partnerReferenceNo: mandatory(Reference),
  amount: mandatory(Money),
  beneficiaryAccountNo: mandatory(AccountNo),
  sourceAccountNo: mandatory(SourceAccountNo),
  transactionDate: mandatory(Timestamp),
  ...transferOptions,
  ...transferTail,
};

const interbankParties = {
  partnerReferenceNo: mandatory(Reference),
  amount: mandatory(Money),
  beneficiaryAccountNo: mandatory(RailAccountNo),
  beneficiaryAccountName: mandatory(AccountName),
  beneficiaryBankCode: mandatory(BankCode),
  sourceAccountNo: mandatory(SourceAccountNo),
  transactionDate: mandatory(Timestamp),
};

const interbankOptions = {
  beneficiaryAddress: optional(text(100)),
  beneficiaryBankName: optional(text(50)),
  ...transferOptions,
};

/** Request of 18. */
export const interbankRequest = { ...interbankParties, ...interbankOptions, ...transferTail };

/** Request of 22 and 23. */
export const clearingRequest = {
  ...interbankParties,
  beneficiaryCustomerResidence: mandatory(Residence),
  beneficiaryCustomerType: mandatory(CustomerType),
  ...interbankOptions,
  kodepos: optional(text(10)),
  receiverPhone: optional(text(20)),
  senderCustomerResidence: optional(Residence),
  senderCustomerType: optional(CustomerType),
  senderPhone: optional(text(20)),
  ...transferTail,
};

const transferEcho = {
  referenceNo: optional(Reference),
  partnerReferenceNo: optional(Reference),
  amount: optional(Money),
  beneficiaryAccountNo: optional(AccountNo),
  currency: optional(Currency),
  customerReference: optional(text(30)),
  sourceAccountNo: optional(SourceAccountNo),
  transactionDate: optional(Timestamp),
};

const resultTail = {
  originatorInfos: optional(OriginatorInfos),
  additionalInfo: optional(FreeForm),
};

/** Response of 17. */
export const intrabankResponse = { ...transferEcho, ...resultTail };

/** Response of 18: that of 17 and `traceNo`. */
export const interbankResponse = { ...transferEcho, traceNo: optional(text(16)), ...resultTail };

/** Response of 22 and 23. */
export const clearingResponse = {
  ...transferEcho,
  traceNo: optional(text(16)),
  transactionStatus: optional(TransactionStatus),
  transactionStatusDesc: optional(text(50)),
  beneficiaryAccountType: optional(AccountType),
  ...resultTail,
};
