/** What the control API sends, and what it is sent. */
export type * from "../../../sandbox/src/console/api-types.ts";
import type { PartnerView } from "../../../sandbox/src/console/api-types.ts";

export type Rail = "interbank" | "rtgs" | "skn";
export type RailMode = "normal" | "slow" | "limbo" | "down";
export type AccountStatus = "active" | "dormant" | "blocked" | "closed";

export interface ClockAnswer {
  /** Business time, ISO 8601. */
  readonly now: string;
  /** Due work that is left. */
  readonly pending: number;
}

export interface AccountEntry {
  readonly version: number;
  readonly referenceNo: string;
  readonly kind: string;
  readonly direction: "debit" | "credit";
  readonly amount: string;
  readonly balanceAfter: string;
  readonly at: string;
}

export interface EntriesPage {
  readonly accountNo: string;
  readonly entries: readonly AccountEntry[];
  readonly next: string | number | null;
}

export interface NotificationAttempt {
  readonly attempt: number;
  readonly at: string | null;
  readonly url: string;
  readonly durationMs: number;
  readonly httpStatus?: number;
  readonly responseCode?: string;
  readonly reply?: string;
  readonly failure?: string;
}

export interface Notification {
  readonly externalId: string;
  readonly referenceNo: string;
  readonly partnerId: string;
  readonly serviceCode: string;
  readonly status: string;
  readonly state: "waiting" | "delivered" | "dead" | "kept";
  readonly createdAt: string | null;
  readonly nextAttemptAt: string | null;
  readonly deliveredAt: string | null;
  readonly attemptCount: number;
  readonly attempts: readonly NotificationAttempt[];
}

export interface NotificationsPage {
  readonly notifications: readonly Notification[];
  readonly next: string | null;
}

export interface AuditAnswer {
  readonly ok: boolean;
  readonly findings: readonly {
    readonly check: string;
    readonly subject: string;
    readonly expected: string;
    readonly found: string;
  }[];
}

export type PartnerId = PartnerView["partnerId"];

/** A sentence of an explanation, in both languages. */
export interface Statement {
  readonly sentence: string;
  readonly sentenceId: string;
  readonly translations: { readonly id: string };
  /** The header, field, or part of the signature it is about. */
  readonly part: string;
}

/** Why a call was refused. */
export interface Refusal {
  readonly step?: number;
  readonly ourClock?: string;
  readonly clockDifferenceMs?: number;
  readonly stringToSign?: string;
  readonly bodyHash?: string;
  readonly minifiedBodyHash?: string;
  readonly diagnosis: Statement & { readonly cause: string };
  readonly differsAt?: { readonly index: number; readonly ours: string; readonly theirs: string };
}



/** One call: of the lists, and of the event `call` of the stream. */
export interface CallView {
  /** The X-CORRELATION-ID of its answer. */
  readonly id: string;
  /** When its head was read. */
  readonly at: string;
  /** As claimed. */
  readonly partnerId?: string;
  /** Such as `interbankTransfer`; absent: unknown path. */
  readonly operation?: string;
  /** Two digits. */
  readonly serviceCode?: string;
  readonly method: string;
  /** Path and query, cut after 300 characters. */
  readonly path: string;
  /** 0: the connection was cut before the call was carried out. */
  readonly status: number;
  /** Empty where there is none. */
  readonly responseCode: string;
  readonly responseMessage: string;
  readonly durationMs: number;
  /** Refused by a check of steps 1 to 12; a rejection by business rules is none. */
  readonly isRefused: boolean;
  /** The check that refused it. */
  readonly step?: number;
  readonly isAuthenticated: boolean;
  /** The fault on purpose that it met. */
  readonly fault?: string;
}

/** `GET /sandbox/calls?partnerId&refused&operation&before&limit`: newest first; `next` is the `before` of the next page. */
export interface CallsPage {
  readonly calls: readonly CallView[];
  readonly next: string | null;
}

/** `GET /sandbox/calls/{id}`. */
export interface CallDetails extends CallView {
  /** Our clock when it arrived, which X-TIMESTAMP is compared with. */
  readonly ourClock: string;
  /** Of the caller. */
  readonly address: string;
  readonly request: {
    /** As received. */
    readonly path: string;
    /** Names and values in the order received. */
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    /** Absent: the body was not read. */
    readonly body?: string;
    /** Of the whole body. */
    readonly bodyBytes: number;
    /** Whether `body` is only its start. */
    readonly isBodyCut: boolean;
  };
  /** Body of the answer. */
  readonly response: string;
  readonly isResponseCut: boolean;
  readonly refusal?: Refusal;
  readonly warnings?: readonly Statement[];
}

/** The event `skipped` of the stream: calls of the time before it that have no event. */
export interface SkippedView {
  /** Calls that the stream would show, beyond 50 a second. */
  readonly calls: number;
  /** Calls of all partners that were counted and not recorded, beyond 200 a second. */
  readonly unrecorded: number;
}

/** `GET /sandbox/calls/minutes`: the last 60 minutes, oldest first; the last one is not over. */
export interface MinutesAnswer {
  readonly minutes: readonly MinuteView[];
}

export interface MinuteView extends CountView {
  /** When it began. */
  readonly minute: string;
  /** Percentiles of the time to the answer; null where there was no call. Within 5 %. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** By name; calls of unknown paths are `unknownPath`. */
  readonly operations: Readonly<Record<string, CountView>>;
}

export interface CountView {
  readonly calls: number;
  /** By the checks of steps 1 to 12. */
  readonly refused: number;
  /** By business rules, or failed: answered with neither 200 nor 202, and not refused. */
  readonly rejected: number;
  /** Sum of the amounts of accepted calls, decimal texts by currency: of 17 to 20, 22, 23, 63, 65, 67 and 69. */
  readonly amounts: Readonly<Record<string, string>>;
}
