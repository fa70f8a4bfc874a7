/**
 * The description of each field, one line by name. OpenAPI, `/docs`, the TypeScript types (`npm run docs:draw`) and
 * `titian call <operation> --help` show it. A field without a description here does not compile; a row may give a more
 * exact one. Presence, length and format are shown beside it, from the table.
 */
import type { Field } from "./field-type.ts";
import { transactionStatuses } from "../statuses.ts";

const statusValues = Object.entries(transactionStatuses).map(([code, { description }]) => `${code} ${description}`);

export const fieldDescriptions = {
  accessToken: "Access token, without the word Bearer.",
  accessTokenExpiryTime: "When the access token expires.",
  additionalInfo: "Free-form JSON, 64 KiB at most. That of a request is echoed in its response.",
  amount:
    "Amount and currency. Without it, authorized payment (63) holds the merchant's default, and of a payment request (19) the payer names it.",
  authCode: "Authorization code of the customer, valid once and for 10 minutes. Needed for authorization_code.",
  bankCode: "Bank of the beneficiary account.",
  beneficiaryAccountName: "Name of the beneficiary account's holder. A transfer passes it on and never compares it.",
  beneficiaryAccountNo: "Account number of the beneficiary.",
  beneficiaryAccountStatus: "Status of the account, as text.",
  beneficiaryAccountType: "Type of the beneficiary account.",
  beneficiaryAddress: "Postal address of the beneficiary.",
  beneficiaryBankCode: "Bank of the beneficiary account.",
  beneficiaryBankName: "Name of the beneficiary's bank.",
  beneficiaryCustomerResidence: "Residence of the beneficiary.",
  beneficiaryCustomerType: "Kind of customer the beneficiary is.",
  beneficiaryEmail: "Email address of the beneficiary.",
  bulkId: "Provider's number of the bulk transfer.",
  bulkObject: "Items of the bulk transfer: instructions in its request (20), results in its notification (21).",
  captureAmount: "Amount of the capture. A request without it captures all that remains of the hold.",
  captureNo: "Provider's number of the capture.",
  captureTime: "When the capture was made.",
  captured: "Sum captured, in the hold's currency.",
  currency: "Currency of the transaction or account. In a request it must be that of every amount.",
  customerReference: "Reference of the sender's customer, recorded and echoed.",
  expired: "Sum released because the hold expired, in the hold's currency.",
  expiredDatetime: "When the request for payment expires; in the future.",
  expiresIn: "Lifetime of the access token in seconds, as text.",
  externalStoreId: "Store that the payment was made in.",
  fee: "Fee charged to the sender or beneficiary and not returned, in the amount's currency.",
  feeType: "Bearer of the fee; OUR when left out. Services 17 and 63 charge none and record it.",
  grantType: "OAuth 2.0 grant: what is exchanged for the token.",
  itemCount: "Items of the bulk. The other counts add up to it.",
  items: "Goods of the payment: free-form JSON, recorded.",
  kodepos: "Postal code of the sender's city.",
  lastCapture: "Text true: the last capture, which releases what remains of the hold. Default: false.",
  latestCaptureStatus: "Result of the capture. INIT is never returned.",
  latestTransactionStatus: `Current status: ${statusValues.join(", ")}.`,
  latestVoidStatus: "Result of the void. INIT is never returned.",
  mcc: "Merchant category code, recorded.",
  merchantId: "Merchant of the payment, as registered at the provider.",
  openCount: "Items of the bulk that wait for their result.",
  originalCaptureNo:
    "Provider's number of the capture to refund. Needed when the hold expired after a partial capture.",
  originalExternalId: "X-EXTERNAL-ID of the original request.",
  originalPartnerReferenceNo: "Partner's number (partnerReferenceNo) of the original transaction.",
  originalReferenceNo: "Provider's number (referenceNo) of the original transaction.",
  originalResponseCode: "Response code of the original request, as the caller received it. Accepted and ignored.",
  originalResponseMessage: "Response message of the original request, as the caller received it. Accepted and ignored.",
  originatorBankCode: "Bank of the originator.",
  originatorCustomerName: "Name of the originator.",
  originatorCustomerNo: "Account or customer number of the originator.",
  originatorInfos: "Originators of the transfer, where the sender acts for others.",
  paidTime: "When the hold was placed or rejected.",
  partnerBulkId: "Partner's number of the bulk transfer.",
  partnerCaptureNo:
    "Partner's number of the capture: its idempotency key within the hold. A new capture needs a new one.",
  partnerId:
    "Id of the partner that the notification is for, as in X-PARTNER-ID, which no signature covers. Every notification has it.",
  partnerReferenceNo:
    "Partner's number of the transaction: in a write its second idempotency key, beside X-EXTERNAL-ID, and for good.",
  partnerRefundNo: "Partner's number of the refund: its idempotency key within the hold. A new refund needs a new one.",
  partnerVoidNo: "Partner's number of the void: its idempotency key within the hold. A new void needs a new one.",
  previousResponseCode: "Response code that the original request got, or would have got.",
  productCode: "Product that is paid for, recorded.",
  reason: "Reason of the void or refund, recorded.",
  receiverPhone: "Phone number of the beneficiary.",
  referenceNo: "Provider's number of the transaction. Only on success.",
  referenceNumber: "Provider's number of the transfer. Empty when it was rejected before it was accepted.",
  refreshToken: "Refresh token, valid once and for 30 days. In a request needed for refresh_token.",
  refreshTokenExpiryTime: "When the refresh token expires.",
  refundAmount: "Amount of the refund. A request without it refunds all that was captured and not refunded.",
  refundNo: "Provider's number of the refund. A rejected refund has one too: only the response code proves a refund.",
  refundTime: "When the refund was made or rejected.",
  refunded: "Sum refunded, in the hold's currency.",
  rejectedCount: "Items of the bulk that were rejected.",
  rejection: "Response code and message of the rejection.",
  remaining: "Sum still held, in the hold's currency.",
  remark: "Remark for the beneficiary.",
  requestId: "Request id of the caller. Accepted and ignored.",
  responseCode: "Result: HTTP status, service code and case code.",
  responseMessage:
    "Result in words, with the field or the reason in brackets; [Another send was rejected] behind a rejection that was another send's.",
  returnedCount: "Items of the bulk that were returned after settlement.",
  senderCustomerResidence: "Residence of the sender.",
  senderCustomerType: "Kind of customer the sender is.",
  senderPhone: "Phone number of the sender.",
  serviceCode: "Service code of the original transaction.",
  sessionId: "Session id of the caller. Accepted and ignored.",
  settledCount: "Items of the bulk that were settled and not returned.",
  sourceAccountName: "Name of the source account's holder.",
  sourceAccountNo: "Account number of the sender, which is debited.",
  subMerchantId: "Sub-merchant of the merchant. Later requests that give it must give the same.",
  title: "Title of the payment or capture, in words for the payer.",
  tokenType: "Type of the token: Bearer.",
  traceNo: "Trace number that the rail gave the transfer.",
  transactionDate: "When the caller made the transaction. Recorded and echoed; not a schedule.",
  transactionId: "Transaction id of the standard. Never returned.",
  transactionStatus: `Status of the transfer: ${statusValues.join(", ")}.`,
  transactionStatusDesc: "Status in words.",
  validUpTo: "When the hold expires.",
  voidAmount: "Amount of the void. A request without it releases all that remains of the hold.",
  voidNo: "Provider's number of the void.",
  voidRemainingAmount: "Text true: release all that remains. Text false: voidAmount is needed.",
  voidTime: "When the void was made.",
  voided: "Sum released by voids, in the hold's currency.",
};

export type FieldName = keyof typeof fieldDescriptions;

/** Constrains a table of fields: the type of a name without a description is this sentence, which no field has. */
export type Described<Table> = {
  readonly [Name in Exclude<keyof Table, FieldName>]: "This field has no description in fields/descriptions.ts";
};

const byName = new Map<string, string>(Object.entries(fieldDescriptions));

/** The field's description, then the format of its type, as sentences of one line. */
export function describeField(name: string, { type, description = byName.get(name) }: Field): string {
  const format = type.kind === "text" ? type.format : undefined;
  return [description, format].filter((sentence) => sentence !== undefined).join(" ");
}
