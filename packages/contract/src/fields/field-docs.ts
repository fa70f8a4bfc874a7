/** Drawn from descriptions.ts and the rows by `npm run docs:draw`: an editor shows what stands above a member. */

export interface FieldDocs {
  /** Access token, without the word Bearer. */
  readonly accessToken: unknown;
  /** When the access token expires. */
  readonly accessTokenExpiryTime: unknown;
  /** Free-form JSON, 64 KiB at most. That of a request is echoed in its response. */
  readonly additionalInfo: unknown;
  /** Amount and currency. Without it, authorized payment (63) holds the merchant's default, and of a payment request (19) the payer names it. */
  readonly amount: unknown;
  /** Authorization code of the customer, valid once and for 10 minutes. Needed for authorization_code. */
  readonly authCode: unknown;
  /** Bank of the beneficiary account. */
  readonly bankCode: unknown;
  /** Name of the beneficiary account's holder. A transfer passes it on and never compares it. */
  readonly beneficiaryAccountName: unknown;
  /** Account number of the beneficiary. */
  readonly beneficiaryAccountNo: unknown;
  /** Status of the account, as text. */
  readonly beneficiaryAccountStatus: unknown;
  /** Type of the beneficiary account. */
  readonly beneficiaryAccountType: unknown;
  /** Postal address of the beneficiary. */
  readonly beneficiaryAddress: unknown;
  /** Bank of the beneficiary account. */
  readonly beneficiaryBankCode: unknown;
  /** Name of the beneficiary's bank. */
  readonly beneficiaryBankName: unknown;
  /** Residence of the beneficiary. */
  readonly beneficiaryCustomerResidence: unknown;
  /** Kind of customer the beneficiary is. */
  readonly beneficiaryCustomerType: unknown;
  /** Email address of the beneficiary. */
  readonly beneficiaryEmail: unknown;
  /** Provider's number of the bulk transfer. */
  readonly bulkId: unknown;
  /** Items of the bulk transfer: instructions in its request (20), results in its notification (21). */
  readonly bulkObject: unknown;
  /** Amount of the capture. A request without it captures all that remains of the hold. */
  readonly captureAmount: unknown;
  /** Provider's number of the capture. */
  readonly captureNo: unknown;
  /** When the capture was made. */
  readonly captureTime: unknown;
  /** Sum captured, in the hold's currency. */
  readonly captured: unknown;
  /** Currency of the transaction or account. In a request it must be that of every amount. */
  readonly currency: unknown;
  /** Reference of the sender's customer, recorded and echoed. */
  readonly customerReference: unknown;
  /** Sum released because the hold expired, in the hold's currency. */
  readonly expired: unknown;
  /** When the request for payment expires; in the future. */
  readonly expiredDatetime: unknown;
  /** Lifetime of the access token in seconds, as text. */
  readonly expiresIn: unknown;
  /** Store that the payment was made in. */
  readonly externalStoreId: unknown;
  /** Fee charged to the sender or beneficiary and not returned, in the amount's currency. */
  readonly fee: unknown;
  /** Bearer of the fee; OUR when left out. Services 17 and 63 charge none and record it. */
  readonly feeType: unknown;
  /** OAuth 2.0 grant: what is exchanged for the token. */
  readonly grantType: unknown;
  /** Items of the bulk. The other counts add up to it. */
  readonly itemCount: unknown;
  /** Goods of the payment: free-form JSON, recorded. */
  readonly items: unknown;
  /** Postal code of the sender's city. */
  readonly kodepos: unknown;
  /** Text true: the last capture, which releases what remains of the hold. Default: false. */
  readonly lastCapture: unknown;
  /** Result of the capture. INIT is never returned. */
  readonly latestCaptureStatus: unknown;
  /** Current status: 00 Success, 01 Initiated, 02 Paying, 03 Pending, 04 Refunded, 05 Canceled, 06 Failed, 07 Not found. */
  readonly latestTransactionStatus: unknown;
  /** Result of the void. INIT is never returned. */
  readonly latestVoidStatus: unknown;
  /** Merchant category code, recorded. */
  readonly mcc: unknown;
  /** Merchant of the payment, as registered at the provider. */
  readonly merchantId: unknown;
  /** Items of the bulk that wait for their result. */
  readonly openCount: unknown;
  /** Provider's number of the capture to refund. Needed when the hold expired after a partial capture. */
  readonly originalCaptureNo: unknown;
  /** X-EXTERNAL-ID of the original request. */
  readonly originalExternalId: unknown;
  /** Partner's number (partnerReferenceNo) of the original transaction. */
  readonly originalPartnerReferenceNo: unknown;
  /** Provider's number (referenceNo) of the original transaction. */
  readonly originalReferenceNo: unknown;
  /** Response code of the original request, as the caller received it. Accepted and ignored. */
  readonly originalResponseCode: unknown;
  /** Response message of the original request, as the caller received it. Accepted and ignored. */
  readonly originalResponseMessage: unknown;
  /** Bank of the originator. */
  readonly originatorBankCode: unknown;
  /** Name of the originator. */
  readonly originatorCustomerName: unknown;
  /** Account or customer number of the originator. */
  readonly originatorCustomerNo: unknown;
  /** Originators of the transfer, where the sender acts for others. */
  readonly originatorInfos: unknown;
  /** When the hold was placed or rejected. */
  readonly paidTime: unknown;
  /** Partner's number of the bulk transfer. */
  readonly partnerBulkId: unknown;
  /** Partner's number of the capture: its idempotency key within the hold. A new capture needs a new one. */
  readonly partnerCaptureNo: unknown;
  /** Id of the partner that the notification is for, as in X-PARTNER-ID, which no signature covers. Every notification has it. */
  readonly partnerId: unknown;
  /** Partner's number of the transaction: in a write its second idempotency key, beside X-EXTERNAL-ID, and for good. */
  readonly partnerReferenceNo: unknown;
  /** Partner's number of the refund: its idempotency key within the hold. A new refund needs a new one. */
  readonly partnerRefundNo: unknown;
  /** Partner's number of the void: its idempotency key within the hold. A new void needs a new one. */
  readonly partnerVoidNo: unknown;
  /** Response code that the original request got, or would have got. */
  readonly previousResponseCode: unknown;
  /** Product that is paid for, recorded. */
  readonly productCode: unknown;
  /** Reason of the void or refund, recorded. */
  readonly reason: unknown;
  /** Phone number of the beneficiary. */
  readonly receiverPhone: unknown;
  /** Provider's number of the transaction. Only on success. */
  readonly referenceNo: unknown;
  /** Provider's number of the transfer. Empty when it was rejected before it was accepted. */
  readonly referenceNumber: unknown;
  /** Refresh token, valid once and for 30 days. In a request needed for refresh_token. */
  readonly refreshToken: unknown;
  /** When the refresh token expires. */
  readonly refreshTokenExpiryTime: unknown;
  /** Amount of the refund. A request without it refunds all that was captured and not refunded. */
  readonly refundAmount: unknown;
  /** Provider's number of the refund. A rejected refund has one too: only the response code proves a refund. */
  readonly refundNo: unknown;
  /** When the refund was made or rejected. */
  readonly refundTime: unknown;
  /** Sum refunded, in the hold's currency. */
  readonly refunded: unknown;
  /** Items of the bulk that were rejected. */
  readonly rejectedCount: unknown;
  /** Response code and message of the rejection. */
  readonly rejection: unknown;
  /** Sum still held, in the hold's currency. */
  readonly remaining: unknown;
  /** Remark for the beneficiary. */
  readonly remark: unknown;
  /** Request id of the caller. Accepted and ignored. */
  readonly requestId: unknown;
  /** Result: HTTP status, service code and case code. */
  readonly responseCode: unknown;
  /** Result in words, with the field or the reason in brackets; [Another send was rejected] behind a rejection that was another send's. */
  readonly responseMessage: unknown;
  /** Items of the bulk that were returned after settlement. */
  readonly returnedCount: unknown;
  /** Residence of the sender. */
  readonly senderCustomerResidence: unknown;
  /** Kind of customer the sender is. */
  readonly senderCustomerType: unknown;
  /** Phone number of the sender. */
  readonly senderPhone: unknown;
  /** Service code of the original transaction. */
  readonly serviceCode: unknown;
  /** Session id of the caller. Accepted and ignored. */
  readonly sessionId: unknown;
  /** Items of the bulk that were settled and not returned. */
  readonly settledCount: unknown;
  /** Name of the source account's holder. */
  readonly sourceAccountName: unknown;
  /** Account number of the sender, which is debited. */
  readonly sourceAccountNo: unknown;
  /** Sub-merchant of the merchant. Later requests that give it must give the same. */
  readonly subMerchantId: unknown;
  /** Title of the payment or capture, in words for the payer. */
  readonly title: unknown;
  /** Type of the token: Bearer. */
  readonly tokenType: unknown;
  /** Trace number that the rail gave the transfer. */
  readonly traceNo: unknown;
  /** When the caller made the transaction. Recorded and echoed; not a schedule. */
  readonly transactionDate: unknown;
  /** Transaction id of the standard. Never returned. */
  readonly transactionId: unknown;
  /** Status of the transfer: 00 Success, 01 Initiated, 02 Paying, 03 Pending, 04 Refunded, 05 Canceled, 06 Failed, 07 Not found. */
  readonly transactionStatus: unknown;
  /** Status in words. */
  readonly transactionStatusDesc: unknown;
  /** When the hold expires. */
  readonly validUpTo: unknown;
  /** Amount of the void. A request without it releases all that remains of the hold. */
  readonly voidAmount: unknown;
  /** Provider's number of the void. */
  readonly voidNo: unknown;
  /** Text true: release all that remains. Text false: voidAmount is needed. */
  readonly voidRemainingAmount: unknown;
  /** When the void was made. */
  readonly voidTime: unknown;
  /** Sum released by voids, in the hold's currency. */
  readonly voided: unknown;
}

export interface OperationDocs {
  /** Authorize a payment (place a hold) (63). Places a hold on the payer's funds: the available balance falls, nothing is charged yet. Without `amount` the merchant's default amount is held. The payer is the holder of the customer's token, else the account of `additionalInfo.sourceAccountNo`, else the merchant's payer. `additionalInfo.validUpTo` is the expiry of the hold, `additionalInfo.externalStoreId` the store. */
  readonly authPayment: unknown;
  /** Query an authorized payment (64). Reports the state of a hold. Any reference is enough; all references in the request must match. `additionalInfo` has the sums captured, voided, expired, refunded and remaining. */
  readonly authPaymentQuery: unknown;
  /** Capture a held payment (65). Charges a hold, in full or in parts. Without `captureAmount` all that remains is charged; `lastCapture` true releases what is left after it. */
  readonly authCapture: unknown;
  /** Query a capture (66). Reports the result of a capture: the accepted attempt under its number, else the newest rejected one. */
  readonly authCaptureQuery: unknown;
  /** Void a held payment (67). Releases what a hold still holds: `voidAmount` of it, or without one all that remains. */
  readonly authVoid: unknown;
  /** Query a void (68). Reports the result of a void: the accepted attempt under its number, else the newest rejected one. */
  readonly authVoidQuery: unknown;
  /** Refund a captured payment (69). Reverses an amount already captured: `refundAmount` of it, or without one all that was not refunded yet. A capture must be named when the hold lapsed, which is to expire with something captured and something left. */
  readonly authRefund: unknown;
  /** Transfer within the bank (17). Moves money between two accounts of the provider. The response is final. */
  readonly intrabankTransfer: unknown;
  /** Transfer to another bank (18). Moves money to an account of another bank, online. A rejection by the rail within the call is returned, with the money back. If the rail has not answered in time the response is 202, and the status inquiry reports the result. */
  readonly interbankTransfer: unknown;
  /** Request a payment (19). Requests a payment from the holder of an account. Moves nothing until the holder approves. */
  readonly requestForPayment: unknown;
  /** Transfer in bulk to other banks (20). Many transfers to other banks in one instruction, accepted as a whole or not at all: a rejection names the first item that it applies to. The response says that the bulk was accepted; the bulk notification reports the result of each item, and the status inquiry that of the bulk so far. */
  readonly interbankBulkTransfer: unknown;
  /** Results of a bulk transfer (21). Sent when every item of a bulk is final: one entry an item, in the order of the request. */
  readonly bulkNotification: unknown;
  /** Transfer by RTGS (22). Moves a large amount to another bank, settled one by one. The response says that it was accepted; the status inquiry and the RTGS notification report the result. */
  readonly rtgsTransfer: unknown;
  /** Result of an RTGS transfer (76). Sent for every final result of an RTGS transfer. */
  readonly rtgsNotification: unknown;
  /** Transfer by SKNBI (23). Moves money to another bank in the next clearing batch. The response says that it was accepted; the status inquiry and the SKNBI notification report the result. */
  readonly sknTransfer: unknown;
  /** Result of an SKNBI transfer (75). Sent for every final result of an SKNBI transfer. */
  readonly sknNotification: unknown;
  /** Status of a transfer, bank (36). Reports the status of a transfer. One of its three references is enough; all references in the request must match. Of a bulk transfer (20) it reports an item by the item's number, or the bulk, with its items counted by result. */
  readonly statusInquiryBank: unknown;
  /** Status of a transfer, non-bank (53). The status inquiry for callers that are not banks: as that for banks, with four more fields in the request. */
  readonly statusInquiryNonBank: unknown;
  /** Inquire an account of the bank (15). Returns holder, status and type of an account at the provider. */
  readonly internalAccountInquiry: unknown;
  /** Inquire an account of another bank (16). Returns the name of the holder of an account at another bank. */
  readonly externalAccountInquiry: unknown;
  /** Get an access token (73). Issues an access token for the partner's own calls, in exchange for an RSA signature over client key and time. */
  readonly accessTokenB2b: unknown;
  /** Get a customer's access token (74). Issues an access token bound to one customer's account, in exchange for the customer's authorization code or a refresh token. */
  readonly accessTokenB2b2c: unknown;
}
