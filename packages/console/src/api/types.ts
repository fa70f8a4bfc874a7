/** What the control API sends, and what it is sent. */
export type * from "@titian/control/types";
import type { CallDetails } from "@titian/control/types";

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
  /** Versions, from the first to the last, in detached partitions. */
  readonly gaps: readonly { readonly first: number; readonly last: number }[];
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

export interface FaultView {
  readonly fault: string;
  /** Calls that are left. */
  readonly next: number;
  readonly delayMs?: number;
  readonly operation?: string;
}

export interface FaultsAnswer {
  readonly partnerId: string;
  readonly faults: readonly FaultView[];
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

/** A sentence of an explanation, in both languages. */
export type Statement = Pick<CallDetails["warnings"][number], "sentence" | "translations">;
