/**
 * What the console's pages send and read, besides the calls of docs/sandbox.md that are older. Types only: the pages import
 * them as types. Amounts are decimal texts such as "1500000.00"; times are ISO 8601 with +07:00, of business time; an
 * absent value is left out. `next` is null on the last page; else it is the `before` (accounts: `after`) of the next one.
 *
 * A page authenticates by the cookie of `POST /sandbox/session`. Each of its calls carries `X-Titian-Console: 1`; an
 * EventSource, which cannot, works where the browser sends Sec-Fetch-Site (loopback and https). 401: get a session.
 * A call that was rejected is answered `{error: {code, message, field?}}`.
 */

/** `POST /sandbox/session`: sets the cookie. Without a token only from this machine, by the user who runs the sandbox. */
export interface SessionRequest {
  /** `controlToken` of sandbox.json. */
  readonly controlToken?: string;
}
export interface SessionAnswer {
  /** Real time. */
  readonly expiresAt: string;
}
/** 401 `tokenRequired`: ask the person for the token; 401 `wrongToken`. `DELETE /sandbox/session` ends it (204). */

/** What a number names. `rejection`: a request that was rejected and has no timeline. */
export type MatchKind =
  | "payment"
  | "transfer"
  | "paymentRequest"
  | "bulk"
  | "bulkItem"
  | "account"
  | "notification"
  | "rejection";

/** By which number a match was found. */
export type MatchedBy =
  | "referenceNo"
  | "captureNo"
  | "voidNo"
  | "refundNo"
  | "bulkId"
  | "journal"
  | "traceNo"
  | "partnerReferenceNo"
  | "partnerCaptureNo"
  | "partnerVoidNo"
  | "partnerRefundNo"
  | "partnerBulkId"
  | "externalId"
  | "notificationExternalId"
  | "accountNo";

/** One thing that a number names. */
export interface Match {
  readonly kind: MatchKind;
  /** For `GET /sandbox/timeline/{referenceNo}`; of a notification, of what it is about; absent: account and rejection. */
  readonly referenceNo?: string;
  /** Of an account, and else of the payer. */
  readonly accountNo?: string;
  /** Absent for an account. */
  readonly partnerId?: string;
  readonly matchedBy: MatchedBy;
  /** Two digits: of the request, of the notification. Absent for an account. */
  readonly serviceCode?: string;
  /** `latestTransactionStatus`, such as "00"; of a notification the one it reports. */
  readonly status?: string;
  /** Such as `settled`; of an account its status, of a notification its delivery. */
  readonly state?: string;
  readonly amount?: string;
  readonly currency?: string;
  /** Of an account: its holder; else the beneficiary's or merchant's, where there is one. */
  readonly name?: string;
  readonly at?: string;
  /** Of a rejection. */
  readonly responseCode?: string;
  readonly responseMessage?: string;
}

/** `GET /sandbox/search?number=…&partnerId=…`: newest first, at most 20. */
export interface SearchAnswer {
  readonly number: string;
  readonly matches: readonly Match[];
}

export interface AccountView {
  readonly accountNo: string;
  readonly name: string;
  readonly currency: string;
  readonly type: "D" | "S";
  readonly status: "active" | "dormant" | "blocked" | "closed";
  readonly ledgerBalance: string;
  readonly availableBalance: string;
}

/** A posting: an amount from one account to another, with both balances after it. */
export interface PostingView {
  /** Such as `transfer`, `capture`, `refund`, `submission`, `settlement`, `fee`, `reversal`, `return`. */
  readonly kind: string;
  readonly amount: string;
  readonly fromAccountNo: string;
  readonly toAccountNo: string;
  readonly fromBalanceAfter?: string;
  readonly toBalanceAfter?: string;
  readonly at: string;
  /** Of the journal. */
  readonly referenceNo: string;
}

export type TimelineKind = "payment" | "transfer" | "paymentRequest" | "bulk" | "bulkItem";

/** What happened, as a stable word for a translated sentence. */
export type TimelineEventKind =
  /** The request, with partner and external id. */
  | "requested"
  /** The decision: accepted, with our number. */
  | "accepted"
  | "held"
  | "captured"
  | "voided"
  /** The remainder of a hold, by its last capture. */
  | "released"
  | "expired"
  | "refunded"
  /** Handed to the rail (the last time, where it was more than once). */
  | "submitted"
  /** The rail has it, and its result is awaited. */
  | "acknowledged"
  /** The rail was asked about it, `count` times. */
  | "inquired"
  | "settled"
  /** By the rail or an operator; the money is back with the payer. */
  | "rejected"
  | "returned"
  /** The payer's, or an operator's, answer to a payment request. */
  | "approved"
  | "declined"
  /** The last item of a bulk had its result. */
  | "ended"
  /** A notification was written. */
  | "notification"
  /** An attempt to deliver it. */
  | "delivery";

export interface TimelineEvent {
  readonly kind: TimelineEventKind;
  /** Absent: not known, such as when a rail was asked; it stands where it belongs. */
  readonly at?: string;
  /** Of the event: a captureNo, voidNo, refundNo, or of a journal. */
  readonly referenceNo?: string;
  readonly amount?: string;
  /** Who did it. */
  readonly by?: "partner" | "payer" | "rail" | "operator" | "service";
  /** Two digits. */
  readonly serviceCode?: string;
  readonly externalId?: string;
  readonly partnerReferenceNo?: string;
  /** Of a refund: the capture it is paid from. */
  readonly captureNo?: string;
  readonly rail?: string;
  readonly traceNo?: string;
  /** Of `inquired`, with the next one where there will be one. */
  readonly count?: number;
  readonly nextAt?: string;
  /** Of a rejection, as it was or would be answered; of a delivery the partner's answer. */
  readonly responseCode?: string;
  readonly responseMessage?: string;
  /** Of a notification: `latestTransactionStatus`, and what became of it. */
  readonly status?: string;
  readonly state?: "waiting" | "delivered" | "dead" | "kept";
  /** Of a delivery. */
  readonly attempt?: number;
  readonly url?: string;
  readonly httpStatus?: number;
  readonly failure?: string;
  readonly durationMs?: number;
  /** Money that the event moved. */
  readonly postings: readonly PostingView[];
}

/** A party, with its account where it is ours. */
export interface Side {
  readonly role: "payer" | "beneficiary" | "merchant";
  readonly accountNo: string;
  readonly name?: string;
  /** Of another bank's account. */
  readonly bankCode?: string;
  readonly bankName?: string;
  /** As of now. */
  readonly account?: AccountView;
  /** Its entries of this timeline, oldest first. */
  readonly entries: readonly EntryView[];
}

export interface EntryView {
  readonly kind: string;
  readonly direction: "debit" | "credit";
  readonly amount: string;
  readonly balanceAfter: string;
  readonly at: string;
  readonly referenceNo: string;
}

/** What an operator or payer may do with it now: calls of docs/sandbox.md. */
export type TimelineAction = "resolveSettled" | "resolveRefused" | "return" | "approve" | "decline";

/** `GET /sandbox/timeline/{referenceNo}`: by any number of ours (also captureNo, voidNo, refundNo, a journal's). */
export interface Timeline {
  readonly kind: TimelineKind;
  readonly referenceNo: string;
  readonly partnerId: string;
  readonly partnerReferenceNo?: string;
  readonly externalId: string;
  readonly serviceCode: string;
  /** Name in the contract, such as `interbankTransfer`. */
  readonly operation: string;
  readonly acceptedAt: string;
  /** `latestTransactionStatus`. */
  readonly status: string;
  readonly state: string;
  /** Of the state, as an English sentence. */
  readonly meaning: string;
  readonly currency: string;
  /** Absent: an open amount of a payment request. */
  readonly amount?: string;
  readonly fee?: string;
  readonly rail?: string;
  readonly traceNo?: string;
  readonly merchantId?: string;
  readonly expiresAt?: string;
  /** Of a payment: held = captured + voided + expired + remaining. */
  readonly hold?: {
    readonly held: string;
    readonly captured: string;
    readonly voided: string;
    readonly expired: string;
    readonly remaining: string;
    readonly refunded: string;
  };
  /** Of a bulk: the four results add up to `items`. */
  readonly counts?: {
    readonly items: number;
    readonly settled: number;
    readonly rejected: number;
    readonly returned: number;
    readonly open: number;
  };
  /** Of an item of a bulk. */
  readonly bulkId?: string;
  readonly bulkPosition?: number;
  readonly sides: readonly Side[];
  /** In order. At most 500: then `isCut`, and the oldest of a payment's changes are left out. */
  readonly events: readonly TimelineEvent[];
  readonly isCut: boolean;
  readonly actions: readonly TimelineAction[];
}

/** Query of the lists: at most 200. */
export interface PageQuery {
  readonly before?: string;
  readonly limit?: number;
}

/** `GET /sandbox/accounts?after&limit`: customers' accounts, sorted by number. */
export interface AccountsPage {
  readonly accounts: readonly AccountView[];
  readonly next: string | null;
}

/** `GET /sandbox/holds?before&limit`: newest first. */
export interface HoldsPage {
  readonly holds: readonly HoldView[];
  readonly next: string | null;
}
export interface HoldView {
  readonly referenceNo: string;
  readonly partnerId: string;
  readonly partnerReferenceNo: string;
  readonly merchantId: string;
  readonly payerAccountNo: string;
  readonly settlementAccountNo: string;
  readonly currency: string;
  readonly held: string;
  readonly captured: string;
  readonly voided: string;
  readonly expired: string;
  readonly refunded: string;
  readonly remaining: string;
  readonly state: string;
  readonly placedAt: string;
  readonly expiresAt: string;
}

/** `GET /sandbox/transfers?before&limit`: 17, 18, 22, 23, newest first, without items of bulks. A page may have fewer than `limit`. */
export interface TransfersPage {
  readonly transfers: readonly TransferView[];
  readonly next: string | null;
}
export interface TransferView {
  readonly referenceNo: string;
  readonly partnerId: string;
  readonly partnerReferenceNo: string;
  readonly serviceCode: string;
  readonly rail?: string;
  readonly payerAccountNo: string;
  readonly beneficiaryAccountNo: string;
  readonly beneficiaryName?: string;
  readonly beneficiaryBankCode?: string;
  readonly currency: string;
  readonly amount: string;
  readonly fee: string;
  readonly state: string;
  readonly status: string;
  readonly acceptedAt: string;
}

/** `GET /sandbox/payment-requests?before&limit`: newest first. */
export interface PaymentRequestsPage {
  readonly paymentRequests: readonly PaymentRequestView[];
  readonly next: string | null;
}
export interface PaymentRequestView {
  readonly referenceNo: string;
  readonly partnerId: string;
  readonly partnerReferenceNo: string;
  readonly payerAccountNo: string;
  readonly beneficiaryAccountNo: string;
  readonly beneficiaryName: string;
  readonly beneficiaryBankCode: string;
  readonly currency: string;
  /** Absent: open, the approval names it. */
  readonly amount?: string;
  readonly state: "waiting" | "approved" | "declined" | "expired";
  readonly acceptedAt: string;
  readonly expiresAt: string;
}

/** `GET /sandbox/bulks?before&limit&partnerId`: newest first. */
export interface BulksPage {
  readonly bulks: readonly BulkView[];
  readonly next: string | null;
}
export interface BulkView {
  readonly bulkId: string;
  readonly partnerId: string;
  readonly partnerBulkId?: string;
  readonly payerAccountNo: string;
  readonly currency: string;
  readonly amount: string;
  readonly fee: string;
  readonly items: number;
  readonly settled: number;
  readonly rejected: number;
  readonly returned: number;
  readonly open: number;
  readonly status: string;
  readonly acceptedAt: string;
  readonly endedAt?: string;
}

/** `GET /sandbox/bulks/{bulkId}/items?after&limit`: in the order of the request; `next` is a position. */
export interface BulkItemsPage {
  readonly items: readonly BulkItemView[];
  readonly next: number | null;
}
export interface BulkItemView {
  readonly position: number;
  readonly referenceNo: string;
  readonly partnerReferenceNo: string;
  readonly beneficiaryAccountNo: string;
  readonly beneficiaryName: string;
  readonly beneficiaryBankCode: string;
  readonly amount: string;
  readonly state: string;
  readonly responseCode?: string;
}

/** `GET /sandbox/partners`: sorted by id, no secrets. */
export interface PartnersAnswer {
  readonly partners: readonly PartnerView[];
}
export interface PartnerView {
  readonly partnerId: string;
  readonly name: string;
  readonly status: "active" | "suspended";
  readonly clientKey: string;
  readonly channelId: string;
  readonly signing: "symmetric" | "asymmetric";
  /** Two digits each. */
  readonly services: readonly string[];
  readonly rateLimit: { readonly perSecond: number; readonly burst: number } | null;
  readonly notificationAddress: string | null;
  readonly notificationSigning: "symmetric" | "asymmetric";
  /** Whether `POST /sandbox/sign` has its keys: those of sandbox.json. */
  readonly canSign: boolean;
}

/** `GET /sandbox/rails`. */
export interface RailsAnswer {
  /** Business time. */
  readonly now: string;
  readonly rails: readonly RailView[];
}
export interface RailView {
  readonly rail: "interbank" | "rtgs" | "skn";
  readonly serviceCodes: readonly string[];
  /** Null: a rail of the program that runs this sandbox. */
  readonly mode: "normal" | "slow" | "limbo" | "down" | null;
  readonly isOpen: boolean;
  /** Daily hours in Jakarta, such as "06:30" to "17:00"; null: around the clock. */
  readonly hours: { readonly from: string; readonly to: string } | null;
  /** While it is open: when it closes; absent around the clock. */
  readonly closesAt?: string;
  /** While it is closed. */
  readonly opensAt?: string;
  /** The next time that what waits is settled together; absent: it settles each at once. */
  readonly nextSettlementAt?: string;
  readonly currency: string;
  readonly fee: string;
  readonly minimum: string;
  readonly maximum?: string;
  /** Transfers without a result. */
  readonly pending: number;
}

/** `GET /sandbox/operations`: what `POST /sandbox/sign` can sign, in the order of the specification. */
export interface OperationsAnswer {
  readonly operations: readonly OperationView[];
}
export interface OperationView {
  /** Such as `interbankTransfer`. */
  readonly name: string;
  /** Two digits. */
  readonly code: string;
  readonly title: string;
  readonly description: string;
  readonly kind: "write" | "read" | "token";
  /** After prefix and version, such as `transfer-interbank`. */
  readonly path: string;
  readonly fields: readonly FieldView[];
}
export interface FieldView {
  readonly name: string;
  /** `text` · `money` {value, currency} · `list` of objects of `fields` · `json`: any JSON, with its known `fields`. */
  readonly kind: "text" | "money" | "list" | "json";
  /** `conditional`: mandatory in some cases, which the description says. */
  readonly presence: "mandatory" | "optional" | "conditional";
  readonly description: string;
  /** Of a text. */
  readonly maxLength?: number;
  /** Of a text: a regular expression. */
  readonly pattern?: string;
  /** Of a text: the only values. */
  readonly options?: readonly string[];
  /** Of a list. */
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly fields?: readonly FieldView[];
}

/**
 * `GET /sandbox/operations/{name}/sample?partnerId=…`: a body that works at once. Captures, voids, refunds, queries and
 * status inquiries name the partner's newest payment or transfer that they suit.
 */
export interface SampleAnswer {
  readonly partnerId: string;
  readonly operation: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** What has to be done first, such as placing a payment: a word to translate, with an operation to go to. */
  readonly needs?: { readonly operation: string; readonly sentence: string };
}

/** `POST /sandbox/sign`. */
export interface SignRequest {
  readonly partnerId: string;
  readonly operation: string;
  /** An object; or a text, which is signed as it is, whatever it holds. */
  readonly body: Readonly<Record<string, unknown>> | string;
  /** Absent: a new one. */
  readonly externalId?: string;
  /** Customer's token (service 74), sent as Authorization-Customer. */
  readonly customerToken?: string;
}

export type CodeLanguage = "curl" | "sdk" | "php" | "go" | "java" | "python";

/** A page sends it as it is: `fetch(path, {method, headers, body})`. Its timestamp is now: send it within five minutes. */
export interface SignedRequest {
  readonly method: "POST";
  /** From the root, such as `/v1.0/transfer-interbank`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly stringToSign: string;
  /** Whole programs that sign and send this call. They hold the partner's credentials of this sandbox, and no control token. */
  readonly code: Readonly<Record<CodeLanguage, string>>;
}
