/** What the console finds: any number, and the timeline of what it names. See api-types.ts. */
import type { MatchedBy, MatchKind, TimelineAction, TimelineEventKind, TimelineKind } from "@titian/server/admin";
import type { AccountView, HoldSums } from "./api-lists.ts";

export type { TimelineAction, TimelineEventKind };

/** One thing that a number names. */
export interface Match {
  readonly kind: MatchKind;
  /** For `GET /sandbox/timeline/{referenceNo}`; of a notification, of what it is about; absent: account and rejection. */
  readonly referenceNo?: string | undefined;
  /** Of an account, and else of the payer. */
  readonly accountNo?: string | undefined;
  /** Absent for an account. */
  readonly partnerId?: string | undefined;
  readonly matchedBy: MatchedBy;
  /** Two digits: of the request, of the notification. Absent for an account. */
  readonly serviceCode?: string | undefined;
  /** `latestTransactionStatus`, such as "00"; of a notification the one it reports. */
  readonly status?: string | undefined;
  /** Such as `settled`; of an account its status, of a notification its delivery. */
  readonly state?: string | undefined;
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
  /** Of an account: its holder; else the beneficiary's or merchant's, where there is one. */
  readonly name?: string | undefined;
  readonly at?: string | undefined;
  /** Of a rejection. */
  readonly responseCode?: string | undefined;
  readonly responseMessage?: string | undefined;
}

/** `GET /sandbox/search?number=…&partnerId=…`: accounts, then the newest first, at most 20. */
export interface SearchAnswer {
  readonly number: string;
  readonly matches: readonly Match[];
  /** There are over 1,000 partners: numbers that they gave are found only with `partnerId`. */
  readonly needsPartner: boolean;
}

/** A posting: an amount from one account to another, with both balances after it. */
export interface PostingView {
  /** Such as `transfer`, `capture`, `refund`, `submission`, `settlement`, `fee`, `reversal`, `return`. */
  readonly kind: string;
  readonly amount: string;
  readonly fromAccountNo: string;
  readonly toAccountNo: string;
  readonly fromBalanceAfter?: string | undefined;
  readonly toBalanceAfter?: string | undefined;
  readonly at: string;
  /** Of the journal. */
  readonly referenceNo: string;
}

export interface TimelineEvent {
  readonly kind: TimelineEventKind;
  /** Absent: not known, such as when a rail was asked; it stands where it belongs. */
  readonly at?: string | undefined;
  /** Of the event: a captureNo, voidNo, refundNo, or of a journal. */
  readonly referenceNo?: string | undefined;
  readonly amount?: string | undefined;
  /** Who did it. */
  readonly by?: "partner" | "payer" | "rail" | "operator" | "service" | undefined;
  /** Two digits. */
  readonly serviceCode?: string | undefined;
  readonly externalId?: string | undefined;
  readonly partnerReferenceNo?: string | undefined;
  /** Of a refund: the capture it is paid from. */
  readonly captureNo?: string | undefined;
  readonly rail?: string | undefined;
  readonly traceNo?: string | undefined;
  /** Of `inquired`, with the next one where there will be one. */
  readonly count?: number | undefined;
  readonly nextAt?: string | undefined;
  /** Of a rejection, as it was or would be answered; of a delivery the partner's answer. */
  readonly responseCode?: string | undefined;
  readonly responseMessage?: string | undefined;
  /** Of a notification: `latestTransactionStatus`, and what became of it. */
  readonly status?: string | undefined;
  readonly state?: "waiting" | "delivered" | "dead" | "kept" | undefined;
  /** Of a delivery. */
  readonly attempt?: number | undefined;
  readonly url?: string | undefined;
  readonly httpStatus?: number | undefined;
  readonly failure?: string | undefined;
  readonly durationMs?: number | undefined;
  /** Money that the event moved. */
  readonly postings: readonly PostingView[];
}

/** A party, with its account where it is ours. */
export interface Side {
  readonly role: "payer" | "beneficiary" | "merchant";
  readonly accountNo: string;
  readonly name?: string | undefined;
  /** Of another bank's account. */
  readonly bankCode?: string | undefined;
  readonly bankName?: string | undefined;
  /** As of now. */
  readonly account?: AccountView | undefined;
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

/** `GET /sandbox/timeline/{referenceNo}`: by any number of ours (also captureNo, voidNo, refundNo, a journal's). */
export interface Timeline {
  readonly kind: TimelineKind;
  readonly referenceNo: string;
  readonly partnerId: string;
  readonly partnerReferenceNo?: string | undefined;
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
  readonly amount?: string | undefined;
  readonly fee?: string | undefined;
  readonly rail?: string | undefined;
  readonly traceNo?: string | undefined;
  readonly merchantId?: string | undefined;
  readonly expiresAt?: string | undefined;
  /** Of a payment: held = captured + voided + expired + remaining. */
  readonly hold?: HoldSums | undefined;
  /** Of a bulk: the four results add up to `items`. */
  readonly counts?: BulkCounts | undefined;
  /** Of an item of a bulk. */
  readonly bulkId?: string | undefined;
  readonly bulkPosition?: number | undefined;
  readonly sides: readonly Side[];
  /** In order. At most 500: then `isCut`, and the oldest of a payment's changes are left out. */
  readonly events: readonly TimelineEvent[];
  readonly isCut: boolean;
  /** Calls of docs/guides/sandbox.md. */
  readonly actions: readonly TimelineAction[];
}

export interface BulkCounts {
  readonly items: number;
  readonly settled: number;
  readonly rejected: number;
  readonly returned: number;
  readonly open: number;
}
