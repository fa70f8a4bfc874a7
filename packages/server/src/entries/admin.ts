/** Entry of programs that administer the service: commands, queries, the audit, and a core to run them on. */
import type { AuditOptions, AuditReport } from "../admin/audit/audit.ts";
import type { CarryOutDeps, WriteOfPartner } from "../compose/carry-out.ts";
import type { CellAddress } from "../basics/cell-address.ts";
import type { Core, CoreDeps } from "../compose/core.ts";
import type { Config } from "../config/config.ts";
import type { ResealOptions, ResealReport } from "../admin/reference/reseal-secrets.ts";
import type { MasterKeys } from "../basics/secrets.ts";
import type { PartnerProbe, ProbeInput } from "../compose/notifications/probe-partner.ts";
import type { MigrateOptions } from "../store/schema/migrate.ts";
import type { RowEstimates } from "../store/partitions/row-estimates.ts";

export type { AccountDeps } from "../admin/accounts/account-acts.ts";
export { type ChangedAccount, changeAccount } from "../admin/accounts/change-account.ts";
export { correctAccounts, fundAccount, moveLedger, withdrawFromAccount } from "../admin/accounts/move-money.ts";
export { type NewAccount, openAccount } from "../admin/accounts/open-account.ts";
export type { AuditOptions, AuditReport } from "../admin/audit/audit.ts";
export type { AuditProgress } from "../admin/audit/audit-pass.ts";
export {
  type AuthCodeDeps,
  createAuthCode,
  type GrantedAccounts,
  type NewAuthCode,
  revokeGrants,
} from "../admin/grants/customer-grants.ts";
export type { MerchantTermsInput } from "../admin/merchants/merchant-input.ts";
export {
  changeMerchant,
  type MerchantChange,
  type NewMerchant,
  registerMerchant,
  setMerchantStatus,
} from "../admin/merchants/merchants.ts";
export {
  countReplay,
  findNotifications,
  type NotificationDeps,
  type NotificationFilter,
  noReplayTexts,
  type Replayed,
  type ReplayInput,
  replayNotifications,
  type SentNotification,
} from "../admin/notifications.ts";
export { notificationStates } from "../store/reads/notifications.ts";
export { countedMax, type ListPage } from "../store/reads/scan-list.ts";
export {
  attachPartition,
  detachPartitions,
  type DetachResult,
  endSearchKeysBefore,
  listPartitions,
  type PartitionRow,
  rebuildSearch,
} from "../admin/partitions.ts";
export { type ActDeps, approveAct, approveSheet, readSheet, refuseAct } from "../admin/decide-act.ts";
export { addOperator, endOperator, grantRole, type OperatorDeps, removeRole } from "../admin/change-operators.ts";
export { openBreakGlass } from "../admin/break-glass.ts";
export { bootstrapOperators } from "../admin/operators.ts";
export { operatorRoles, readOperators as listOperators } from "../store/tables/operators.ts";
export { openConsoleConnections } from "../admin/console-connections.ts";
export { unmask } from "../admin/unmask.ts";
export { isUnmasked } from "../store/reads/acts.ts";
export type { NewOperator } from "../store/tables/operators.ts";
export { asOperator } from "../store/postgres/as-operator.ts";
export {
  endOperatorSession,
  listOperatorSessions,
  openOperatorSession,
  type UsedOperatorSession,
  useOperatorSession,
} from "../store/tables/operator-sessions.ts";
export { decideOnDifference, openRailDirectory } from "../compose/rails/rail-differences.ts";
export {
  defaultOverlapMs,
  type NewCredentials,
  retireCredential,
  rotateCredentials,
} from "../admin/partners/partner-credentials.ts";
export { isHttpUrl, type PartnerTermsInput, rateLimitOf } from "../admin/partner-input.ts";
export { findPartnerSecrets, type KnownPartner, listPartnerSecrets } from "../admin/partners/partner-secrets.ts";
export { findReceiverTest, type ReceiverTest } from "../admin/partners/receiver-tests.ts";
export {
  changePartner,
  type NewPartner,
  onboardPartner,
  type PartnerDeps,
  setPartnerStatus,
} from "../admin/partners/partners.ts";
export {
  type AccountSummary,
  type EntrySummary,
  findAccount,
  findAccountTerms,
  listAccounts,
  listEntries,
  summarizeAccount,
} from "../views/accounts/accounts.ts";
export { listOwnAccounts } from "../views/accounts/own-accounts.ts";
export { findAct, findOpenAct, listActs } from "../views/acts/acts.ts";
export { type ActKind, actKinds } from "../store/tables/acts.ts";
export type { PostingSummary } from "../views/accounts/postings.ts";
export { amount, type AmountText, type Found, time, type TimeText } from "../views/answers.ts";
export { callOfRecord, type CallsDeps, findCallsOfRecord } from "../views/calls/calls-of-record.ts";
export { findCall, keptCall, showKeptCall } from "../views/calls/find-call.ts";
export { findDetachedPartition } from "../views/detached.ts";
export { type HoldEventSummary, listHoldEvents } from "../views/holds/hold-events.ts";
export {
  findHold,
  type HoldDetails,
  type HoldSummary,
  listNewestHolds,
  listOpenHoldsOfAccount,
  listOpenHoldsOfMerchant,
  type OpenHolds,
} from "../views/holds/holds.ts";
export { numberMatch } from "../views/money/number-match.ts";
export { findTimeline } from "../views/money/timeline.ts";
export { attemptExplanation, postingView, timelineEvent } from "../views/money/timeline-event.ts";
export { find, type FindDeps } from "../views/search/find.ts";
export { findMerchant, listMerchants, type MerchantSummary } from "../views/partners/merchants.ts";
export { showPartner } from "../views/partners/credentials.ts";
export { listConsents } from "../views/partners/consents.ts";
export { findNotificationAddress, listPartners } from "../views/partners/partners.ts";
export type { QueryDeps } from "../views/query-deps.ts";
export { listOwedPayments } from "../views/rails/owed.ts";
export { listRails, type RailSummary } from "../views/rails/rails.ts";
export { summarizeRejection } from "../views/rejections.ts";
export { type BulkItemFilter, type BulkItemSummary, listBulkItems } from "../views/transfers/bulk-items.ts";
export {
  type BulkDetails,
  type BulkSummary,
  countOpenBulks,
  countsOf,
  findBulk,
  listBulks,
} from "../views/transfers/bulks.ts";
export { listNewestTransfers } from "../views/transfers/newest-transfers.ts";
export {
  type ApprovalQuote,
  findPaymentRequest,
  listNewestPaymentRequests,
  listOpenRequestCounts,
  listPaymentRequests,
  type OpenRequestsOfPartner,
  type PaymentRequestDetails,
  type PaymentRequestSummary,
  quoteApproval,
} from "../views/transfers/payment-requests.ts";
export {
  findTransfer,
  listOpenTransfers,
  type TransferDetails,
  type TransferResult,
  type TransferSummary,
} from "../views/transfers/transfers.ts";
export {
  findRequestsOfPartner,
  type RequestOfPartner,
  type RequestsOfPartner,
} from "../views/transfers/requests-of-partner.ts";
export { loadRailData, type RailFiles } from "../admin/rail-data/rail-data.ts";
export type { ActWords } from "../admin/reference/reference-act.ts";
export type { ReferenceDeps } from "../admin/reference/reference-change.ts";
export { addCell } from "../admin/cells/add-cell.ts";
export { compareCells } from "../admin/cells/compare-cells.ts";
export { adoptLostPayments, listLostPayments, type LostPayment } from "../admin/cells/adopt-transit.ts";
export { withCellPool } from "../admin/cells/cell-pool.ts";
export { findCellFault, findHomeFaults, findOperatorsFault } from "../admin/cells/check-cells.ts";
export { cellOfId } from "../operations/cells/place-call.ts";
export { allCells, type CellAddress } from "../basics/cell-address.ts";
export { readCellRecord as findCellRecord, readCellRows as listCells } from "../store/reference/cells.ts";
export { closeSwitch, listSwitches, reopenSwitch, type SwitchDeps, type SwitchState } from "../admin/switches.ts";
export { AdminError, type AdminRejection, type AdminResult } from "../admin/result.ts";
export type { PartnerCredentials } from "../interfaces/call.ts";
export { type Clock, createClock, type Instant, type MovableClock } from "../basics/clock.ts";
export { createAccessTokens } from "../compose/access-tokens.ts";
export { followSecrets } from "../compose/known-secrets.ts";
export type { CarryOutDeps, WriteOfPartner } from "../compose/carry-out.ts";
export { beneficiariesByAddress } from "../compose/cells/beneficiaries.ts";
export type { Core, CoreDeps } from "../compose/core.ts";
export type { PartnerProbe, ProbeInput } from "../compose/notifications/probe-partner.ts";
export { type AdoptionInput, adoptLines } from "../compose/rails/adopt-lines.ts";
export { releaseDirectory } from "../compose/rails/rail-records.ts";
export type { AdoptionResult } from "../rails/adoption/adopt-deps.ts";
export {
  countDifferences,
  type DifferenceDecision,
  type RailDifferenceRow,
} from "../store/tables/rail-records/rail-differences.ts";
export { listLinesSetAside } from "../store/tables/rail-records/rail-result-files.ts";
export { closeSetAside, findSetAside, listSetAside } from "../store/tables/rail-records/set-aside-results.ts";
export { warnOfHolidays } from "../compose/observe/observe-holidays.ts";
export { overdueMs } from "../compose/observe/watch-pending-transfers.ts";
export { fromReferenceNo, homeCell, newCorrelationId, newId, newSecret, toReferenceNo, toUuid } from "../basics/ids.ts";
export { oneAtATime, type Polling, startPolling } from "../jobs/polling.ts";
export type { Account, AccountLimits, AccountStatus } from "../ledger/accounts/account.ts";
export { type MovePair, movePairs } from "../ledger/accounts/act-journal.ts";
export type { AccountChange } from "../ledger/accounts/change-account.ts";
export { dateOf, dayOf, instantOf } from "../ledger/business-day.ts";
export { formatMinor, type Minor, parseMinor } from "../ledger/money.ts";
export type { AnsweredBy } from "../ledger/payment-requests/payment-request.ts";
export { type PaymentRequestState, paymentRequestStates } from "../ledger/payment-requests/states.ts";
export { readInstructionLine } from "../rails/instructions/instruction-line.ts";
export { type RailData, type RailName, railNames, type RailTerms } from "../ledger/rails/terms.ts";
export { type TransferState, transferStates } from "../ledger/transfers/states.ts";
export type { RailTransfer } from "../ledger/transfers/transfer.ts";
export { ActNotApproved } from "../jobs/open-act.ts";
export { createLog, type Log } from "../observability/log.ts";
export { readSecurityLines, type VerifiedLog, verifySecurityLog } from "../observability/security/read-log-files.ts";
export type { SecurityLog } from "../observability/security/security-log.ts";
export type { SecurityLine } from "../observability/security/chain.ts";
export {
  type AnswerResult,
  type ApprovalInput,
  type ApproveDeps,
  approvePaymentRequest,
  declinePaymentRequest,
} from "../rails/commands/answer-payment-request.ts";
export type { Dispatcher } from "../rails/dispatcher.ts";
export {
  RailAhead,
  ResolutionUnknown,
  resolveTransfer,
  type TransferDecision,
  type TransferResolution,
} from "../rails/commands/resolve-transfer.ts";
export { hostNameOf, isLoopbackAddress, isLoopbackName } from "../basics/host-names.ts";
export { createSecrets, type MasterKeys, SealError, type Secrets, unknownSecret } from "../basics/secrets.ts";
export type { ProbeCause } from "../notify/probe/probe-cause.ts";
export { checkAdministration } from "../admin/administration-rights.ts";
export type { TriedVariation } from "../notify/probe/probe-variations.ts";
export type { StatementPool } from "../store/postgres/connect.ts";
export { isDatabaseAway } from "../store/postgres/database-away.ts";
export type { MigrateOptions } from "../store/schema/migrate.ts";
export type { RowEstimates } from "../store/partitions/row-estimates.ts";
export type { PartnerRow, PartnerStatus } from "../store/reference/reference.ts";
export { addToState, raiseState, readState, writeState } from "../store/reference/service-state.ts";

// The rest is loaded when it is first called: it is most of what this file stands for, and few commands need all of it.

/** Database, reference data and engine. Starts in the order of need; disposing ends it. */
export async function startCore(deps: CoreDeps): Promise<Core> {
  const core = await import("../compose/core.ts");
  return core.startCore(deps);
}

/** A further cell beside home: its database and engine, with home's reference data. @throws ConfigError when it is another database */
export async function startCellCore(home: Core, address: CellAddress): Promise<Core> {
  const core = await import("../compose/core.ts");
  return core.startCellCore(home, address);
}

/** A write of a partner's, without edge and signature; its response's fields, of a repeat those of the first. */
export async function carryOut(deps: CarryOutDeps, write: WriteOfPartner): Promise<Readonly<Record<string, unknown>>> {
  const writes = await import("../compose/carry-out.ts");
  return writes.carryOut(deps, write);
}

/** Sends a partner a test notification, as a real one is sent; of each partner the last result is kept. */
export async function probePartner(core: Core, input: ProbeInput): Promise<PartnerProbe> {
  const probe = await import("../compose/notifications/probe-partner.ts");
  return probe.probePartner(core, input);
}

/** The configuration with the keys that TITIAN_KEYS reaches; without it as it was. @throws ConfigError */
export async function openKeys(config: Config): Promise<Config> {
  const { openKeys: open } = await import("../compose/start/open-keys.ts");
  return open(config);
}

/** Recomputes what the ledger holds from its entries, while it is in use. @throws AdminError when it timed out. */
export async function runAudit(databaseUrl: string, options?: AuditOptions): Promise<AuditReport> {
  const audit = await import("../admin/audit/audit.ts");
  return audit.runAudit(databaseUrl, options);
}

/** Rows that a full audit reads, estimated from PostgreSQL's statistics: for progress. */
export async function estimateRows(databaseUrl: string): Promise<RowEstimates> {
  const estimates = await import("../store/partitions/row-estimates.ts");
  return estimates.estimateRows(databaseUrl);
}

/** Seals for the current master key what names an earlier one, as the owner of the database. Repeating it is safe. */
export async function resealSecrets(
  databaseUrl: string,
  masterKeys: MasterKeys,
  options?: ResealOptions,
): Promise<ResealReport> {
  const reseal = await import("../admin/reference/reseal-secrets.ts");
  return reseal.resealSecrets(databaseUrl, masterKeys, options);
}

/** Migrates the database to this release's schema; returns the migrations applied. Repeating it is safe. */
export async function migrate(databaseUrl: string, options: MigrateOptions): Promise<readonly string[]> {
  const migrations = await import("../store/schema/migrate.ts");
  return migrations.migrate(databaseUrl, options);
}
