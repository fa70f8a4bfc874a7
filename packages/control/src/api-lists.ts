/** What the console lists: accounts, holds, transfers, payment requests, bulks, partners, rails. See api-types.ts. */

export interface AccountView {
  readonly accountNo: string;
  readonly name: string;
  readonly currency: string;
  readonly type: "D" | "S";
  readonly status: "active" | "dormant" | "blocked" | "closed";
  readonly ledgerBalance: string;
  readonly availableBalance: string;
}

export interface HoldSums {
  readonly held: string;
  readonly captured: string;
  readonly voided: string;
  readonly expired: string;
  readonly remaining: string;
  readonly refunded: string;
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
  /** Names of the detached partitions whose transfers are missing in it. */
  readonly detached: readonly string[];
}
export interface TransferView {
  readonly referenceNo: string;
  readonly partnerId: string;
  readonly partnerReferenceNo: string;
  readonly serviceCode: string;
  readonly rail?: string | undefined;
  readonly payerAccountNo: string;
  readonly beneficiaryAccountNo: string;
  readonly beneficiaryName?: string | undefined;
  readonly beneficiaryBankCode?: string | undefined;
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
  readonly amount?: string | undefined;
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
  readonly partnerBulkId?: string | undefined;
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
  readonly endedAt?: string | undefined;
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
  readonly responseCode?: string | undefined;
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
  readonly notificationSignedPath: "whole" | "service";
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
  /** While it is open: when it closes, its cut-off; absent around the clock. */
  readonly closesAt?: string | undefined;
  /** While it is closed. */
  readonly opensAt?: string | undefined;
  /** The next time that what waits is settled together; absent: it settles each at once. */
  readonly nextSettlementAt?: string | undefined;
  readonly currency: string;
  readonly fee: string;
  readonly minimum: string;
  readonly maximum?: string | undefined;
  /** Transfers without a result. */
  readonly pending: number;
  /** Amounts and fees of pending transfers, together. */
  readonly suspense: string;
}
