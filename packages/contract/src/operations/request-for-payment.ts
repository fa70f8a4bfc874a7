/** Code 19: asks the holder of an account to pay; moves nothing by itself. */
import { mandatory, optional } from "../fields/field.ts";
import { text } from "../fields/text-types.ts";
import {
  AccountName,
  AccountNo,
  BankCode,
  Currency,
  FeeType,
  FreeForm,
  Money,
  Reference,
  SourceAccountNo,
  Timestamp,
} from "../fields/types.ts";
import { defineOperation } from "../operation.ts";

export const requestForPayment = defineOperation({
  code: "19",
  name: "requestForPayment",
  path: "transfer-request-for-payment",
  kind: "write",
  direction: "toProvider",
  title: "Request a payment",
  request: {
    partnerReferenceNo: mandatory(Reference),
    bankCode: mandatory(BankCode),
    beneficiaryAccountNo: mandatory(AccountNo),
    beneficiaryAccountName: mandatory(AccountName),
    expiredDatetime: mandatory(Timestamp),
    sourceAccountNo: mandatory(SourceAccountNo),
    sourceAccountName: mandatory(AccountName),
    remark: optional(text(50)),
    currency: optional(Currency),
    amount: optional(Money),
    feeType: optional(FeeType),
    additionalInfo: optional(FreeForm),
  },
  response: {
    referenceNo: optional(Reference),
    partnerReferenceNo: optional(Reference),
    additionalInfo: optional(FreeForm),
  },
});
