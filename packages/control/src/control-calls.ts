/** All calls of the control API that any program may mount; what it adds of its own stands beside them. */
import { accountCalls, type AccountCallsDeps } from "./accounts/account-calls.ts";
import { auditCalls, type AuditCallsDeps } from "./audit/audit-calls.ts";
import { bulkCalls, type BulkCallsDeps } from "./bulks/bulk-calls.ts";
import { holdCalls, type HoldCallsDeps } from "./holds/hold-calls.ts";
import { searchCalls, type SearchCallsDeps } from "./money/search-calls.ts";
import { timelineCalls, type TimelineCallsDeps } from "./money/timeline-calls.ts";
import { notificationCalls, type NotificationCallsDeps } from "./notifications/notification-calls.ts";
import { partnerCalls, type PartnerCallsDeps } from "./partners/partner-calls.ts";
import { paymentRequestCalls, type PaymentRequestCallsDeps } from "./payment-requests/payment-request-calls.ts";
import { railCalls, type RailCallsDeps } from "./rails/rail-calls.ts";
import { recordedCalls, type RecordedCallsDeps } from "./record/recorded-calls.ts";
import { sessionCalls, type SessionCallsDeps } from "./sessions/session-calls.ts";
import { transferCalls, type TransferCallsDeps } from "./transfers/transfer-calls.ts";

export type ControlDeps = AccountCallsDeps &
  AuditCallsDeps &
  BulkCallsDeps &
  HoldCallsDeps &
  NotificationCallsDeps &
  PartnerCallsDeps &
  PaymentRequestCallsDeps &
  RailCallsDeps &
  RecordedCallsDeps &
  SearchCallsDeps &
  SessionCallsDeps &
  TimelineCallsDeps &
  TransferCallsDeps;

export const controlCalls = [
  ...searchCalls,
  ...timelineCalls,
  ...accountCalls,
  ...holdCalls,
  ...transferCalls,
  ...paymentRequestCalls,
  ...bulkCalls,
  ...railCalls,
  ...partnerCalls,
  ...notificationCalls,
  ...recordedCalls,
  ...auditCalls,
  ...sessionCalls,
] as const;
