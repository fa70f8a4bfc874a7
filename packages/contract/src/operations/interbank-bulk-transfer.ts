/** Code 20: many transfers in one instruction; notification 21 tells the results. */
import { mandatory, optional } from "../fields/field.ts";
import { text } from "../fields/text-types.ts";
import {
  AccountName,
  AccountNo,
  BankCode,
  Currency,
  FeeType,
  FreeForm,
  listOf,
  Money,
  Reference,
  SourceAccountNo,
  Timestamp,
} from "../fields/types.ts";
import { defineOperation } from "../operation.ts";
import { OriginatorInfos } from "../shapes/originators.ts";

/** One instruction of the bulk. */
export const bulkItem = {
  partnerReferenceNo: mandatory(Reference),
  bankCode: mandatory(BankCode),
  beneficiaryAccountNo: mandatory(AccountNo),
  beneficiaryAccountName: mandatory(AccountName),
  amount: mandatory(Money),
  originatorInfos: optional(OriginatorInfos),
  additionalInfo: optional(FreeForm),
};

export const interbankBulkTransfer = defineOperation({
  code: "20",
  name: "interbankBulkTransfer",
  path: "transfer-interbank-bulk",
  kind: "write",
  direction: "toProvider",
  title: "Transfer in bulk to other banks",
  request: {
    customerReference: mandatory(text(30)),
    sourceAccountNo: mandatory(SourceAccountNo),
    transactionDate: mandatory(Timestamp),
    bulkObject: mandatory(listOf(bulkItem, { min: 1, max: 10_000 })),
    partnerBulkId: optional(Reference),
    currency: optional(Currency),
    feeType: optional(FeeType),
    remark: optional(text(50)),
    additionalInfo: optional(FreeForm),
  },
  response: {
    bulkId: optional(Reference),
    partnerBulkId: optional(Reference),
    additionalInfo: optional(FreeForm),
  },
});
