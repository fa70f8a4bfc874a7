/** Code 19: requests a payment from the holder of an account; moves nothing by itself. */
import { mandatory, optional } from "../../fields/field.ts";
import { text } from "../../fields/text-types.ts";
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
} from "../../fields/types.ts";
import { defineOperation } from "../../operation.ts";

export const requestForPayment = defineOperation({
  code: "19",
  name: "requestForPayment",
  path: "transfer-request-for-payment",
  kind: "write",
  direction: "toProvider",
  about: {
    noun: "paymentRequest",
    placedBy: { payer: "sourceAccountNo", payee: "beneficiaryAccountNo", payeeBank: "bankCode" },
    amount: "amount",
    number: "referenceNo",
    partnerNumber: "partnerReferenceNo",
    exampleStatus: "00",
    inquiry: "statusInquiryBank",
    doneAt: ["00", "01", "02", "03", "04", "05", "06"],
    failedAt: [],
    looksUp: "sourceAccountNo",
  },
  title: "Request a payment",
  titleTranslations: { id: "Minta pembayaran" },
  description: "Requests a payment from the holder of an account. Moves nothing until the holder approves.",
  descriptionTranslations: {
    id: "Meminta pembayaran dari pemilik rekening. Tidak ada uang yang berpindah sebelum pemiliknya menyetujui.",
  },
  request: {
    partnerReferenceNo: mandatory(Reference),
    bankCode: mandatory(BankCode),
    beneficiaryAccountNo: mandatory(
      AccountNo,
      'Account to be paid. At another bank it has letters, digits, "-", ".", "/", and blanks within.',
    ),
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
  cases: [
    "transactionNotPermitted",
    "invalidAccount",
    "inactiveAccount",
    "dormantAccount",
    "bankNotSupported",
    "exceedsTransactionAmountLimit",
    "activityCountLimitExceeded",
    "invalidAmount",
    "featureNotAllowedAtThisTime",
  ],
  example: {
    request: {
      partnerReferenceNo: "RFP-2026-000001",
      bankCode: "014",
      beneficiaryAccountNo: "8888801000157508",
      beneficiaryAccountName: "Siti Nur Aini",
      expiredDatetime: "2026-11-28T10:00:00+07:00",
      sourceAccountNo: "1000000001",
      sourceAccountName: "PT Contoh Sejahtera",
      remark: "Invoice 17",
      amount: { value: "75000.00", currency: "IDR" },
    },
    response: { referenceNo: "01JD7KCF4G5H6J7K8M9N0P1Q2R", partnerReferenceNo: "RFP-2026-000001" },
  },
});
