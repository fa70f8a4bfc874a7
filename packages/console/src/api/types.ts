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

/** A call as the list has it. */
export interface CallView {
  readonly id: string;
  /** Real time, ISO 8601. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly partnerId?: string;
  readonly operation?: string;
  readonly serviceCode?: string;
  readonly status: number;
  readonly responseCode: string;
  readonly responseMessage?: string;
  readonly durationMs: number;
  /** 1 to 12, of a refused call. */
  readonly step?: number;
  readonly sentence?: string;
  readonly sentenceId?: string;
}

export interface CallsPage {
  readonly calls: readonly CallView[];
  readonly next: string | null;
}
