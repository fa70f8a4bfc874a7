/** Calls that need the database alone: a program mounts them beside a running service, or without one. */
import { actCalls, type ActCallsDeps } from "./acts/act-calls.ts";
import { accountCalls, type AccountCallsDeps } from "./accounts/account-calls.ts";
import { bulkCalls, type BulkCallsDeps } from "./bulks/bulk-calls.ts";
import { holdCalls, type HoldCallsDeps } from "./holds/hold-calls.ts";
import { ledgerCalls, type LedgerCallsDeps } from "./accounts/ledger-calls.ts";
import { merchantCalls, type MerchantCallsDeps } from "./merchants/merchant-calls.ts";
import { searchCalls, type SearchCallsDeps } from "./money/search-calls.ts";
import { timelineCalls, type TimelineCallsDeps } from "./money/timeline-calls.ts";
import { changeOperatorCalls, type ChangeOperatorCallsDeps } from "./operators/change-operator-calls.ts";
import { notificationCalls, type NotificationCallsDeps } from "./notifications/notification-calls.ts";
import { moveCalls, type MoveCallsDeps } from "./cells/move-calls.ts";
import { consentCalls, type ConsentCallsDeps } from "./partners/consent-calls.ts";
import { credentialCalls } from "./partners/credential-calls.ts";
import { partnerCalls, type PartnerCallsDeps } from "./partners/partner-calls.ts";
import { partnerLifeCalls } from "./partners/partner-life-calls.ts";
import { requestCalls, type RequestCallsDeps } from "./partners/request-calls.ts";
import { paymentRequestCalls, type PaymentRequestCallsDeps } from "./payment-requests/payment-request-calls.ts";
import { railCalls, type RailCallsDeps } from "./rails/rail-calls.ts";
import { switchCalls, type SwitchCallsDeps } from "./switches/switch-calls.ts";
import { transferCalls, type TransferCallsDeps } from "./transfers/transfer-calls.ts";

export type DatabaseCallsDeps = AccountCallsDeps &
  ActCallsDeps &
  BulkCallsDeps &
  ChangeOperatorCallsDeps &
  ConsentCallsDeps &
  HoldCallsDeps &
  LedgerCallsDeps &
  MerchantCallsDeps &
  MoveCallsDeps &
  NotificationCallsDeps &
  PartnerCallsDeps &
  PaymentRequestCallsDeps &
  RailCallsDeps &
  RequestCallsDeps &
  SearchCallsDeps &
  SwitchCallsDeps &
  TimelineCallsDeps &
  TransferCallsDeps;

export const databaseCalls = [
  ...searchCalls,
  ...timelineCalls,
  ...accountCalls,
  ...ledgerCalls,
  ...moveCalls,
  ...actCalls,
  ...changeOperatorCalls,
  ...holdCalls,
  ...transferCalls,
  ...paymentRequestCalls,
  ...bulkCalls,
  ...railCalls,
  ...switchCalls,
  ...partnerCalls,
  ...partnerLifeCalls,
  ...credentialCalls,
  ...consentCalls,
  ...requestCalls,
  ...merchantCalls,
  ...notificationCalls,
] as const;
