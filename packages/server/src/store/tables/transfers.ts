/** Transfers over rails: locked by the batch that decides on them, written once a batch. */
import { minor } from "../../ledger/money.ts";
import type { RailName } from "../../ledger/rails/terms.ts";
import type { RailTransfer, ResultSource } from "../../ledger/transfers/transfer.ts";
import type { CallRejectionKind } from "../../ledger/rejection.ts";
import type { TransferState } from "../../ledger/transfers/states.ts";
import { bigint, code, insertRows, int, plain, text, time, updateRows, uuid } from "../statements/row-statements.ts";
import { selectList } from "../statements/select-list.ts";
import type { TextRow } from "../postgres/session.ts";
import { createRowLocks } from "./locked-row.ts";

export const transferColumns = selectList(
  [
    "id, partner, service, rail, source_account_id, currency, amount, fee, daily_limit_amount, business_date, suspense_part",
    "state, trace_no, reject_reason, resolved_synchronously, resolved_by, returned_by, resolution_journal_id",
    "return_journal_id, inquiry_count, version, bulk_id",
  ],
  ["accepted_at", "submitted_at"],
);

/** Locks of transactions on rows. */
export const transferLocks = createRowLocks("transfers", transferColumns.sql, readTransfer);

/** Adds accepted transfers. The node that accepted one submits it; if that node dies, the transfer is due 10 s later. */
export const insertTransfers = insertRows<RailTransfer>(
  "transfers",
  {
    id: uuid((row) => row.id),
    partner: uuid((row) => row.partner),
    service: int((row) => row.service),
    rail: code((row) => row.rail),
    source_account_id: uuid((row) => row.source),
    currency: code((row) => row.currency),
    amount: bigint((row) => row.sentAmount),
    fee: bigint((row) => row.fee),
    daily_limit_amount: bigint((row) => row.dailyLimitAmount),
    business_date: int((row) => row.businessDate),
    suspense_part: int((row) => row.suspensePart),
    state: code((row) => row.state),
  },
  {
    is_open: "true",
    resolved_synchronously: "false",
    version: "0",
    accepted_at: "$1::timestamptz",
    submitted_at: "$1::timestamptz",
    next_inquiry_at: "$1::timestamptz + interval '10 seconds'",
  },
);

export interface TransferUpdate {
  readonly oldVersion: number;
  readonly transfer: RailTransfer;
}

/** Writes what became of locked transfers; fails with 22012 if one of them is not at its old version. */
export const updateTransfers = updateRows<TransferUpdate>({
  name: "update-transfers",
  table: "transfers",
  where: {
    id: uuid(({ transfer }) => transfer.id),
    version: int((update) => update.oldVersion),
  },
  set: {
    version: int(({ transfer }) => transfer.version),
    state: code(({ transfer }) => transfer.state),
    trace_no: text(({ transfer }) => transfer.traceNo),
    reject_reason: text(({ transfer }) => transfer.rejection),
    resolved_synchronously: plain("boolean")(({ transfer }) => (transfer.isResolvedSynchronously ? "t" : "f")),
    resolved_by: text(({ transfer }) => transfer.resolvedBy),
    returned_by: text(({ transfer }) => transfer.returnedBy),
    resolution_journal_id: plain("uuid")(({ transfer }) => transfer.resolutionJournalId),
    return_journal_id: plain("uuid")(({ transfer }) => transfer.returnJournalId),
    submitted_at: time(({ transfer }) => transfer.submittedAt),
  },
  also: {
    is_open: "c.state in ('queued', 'submitted', 'pending')",
    // An item of a bulk that its rail reports before it is submitted here: it is inquired about from now on.
    next_inquiry_at:
      "case when c.state = 'queued' then t.next_inquiry_at else coalesce(t.next_inquiry_at, t.accepted_at) end",
  },
});

/** A row of `transferColumns`. */
export function readTransfer(row: TextRow): RailTransfer {
  const { at } = transferColumns;
  const amount = (position: number) => minor(BigInt(row[position] as string));
  const [traceNo, rejection] = [row[at.trace_no], row[at.reject_reason]];
  const [resolvedBy, returnedBy] = [row[at.resolved_by], row[at.returned_by]];
  const [resolutionJournalId, returnJournalId] = [row[at.resolution_journal_id], row[at.return_journal_id]];
  return {
    id: row[at.id] as string,
    partner: row[at.partner] as string,
    service: Number(row[at.service]),
    ...(row[at.bulk_id] == null ? {} : { bulk: row[at.bulk_id] as string }),
    rail: row[at.rail] as RailName,
    source: row[at.source_account_id] as string,
    currency: row[at.currency] as string,
    sentAmount: amount(at.amount),
    fee: amount(at.fee),
    dailyLimitAmount: amount(at.daily_limit_amount),
    businessDate: Number(row[at.business_date]),
    suspensePart: Number(row[at.suspense_part]),
    state: row[at.state] as TransferState,
    ...(traceNo == null ? {} : { traceNo }),
    ...(rejection == null ? {} : { rejection: rejection as CallRejectionKind }),
    isResolvedSynchronously: ["t", "true"].includes(row[at.resolved_synchronously] ?? ""),
    ...(resolvedBy == null ? {} : { resolvedBy: resolvedBy as ResultSource }),
    ...(returnedBy == null ? {} : { returnedBy: returnedBy as ResultSource }),
    ...(resolutionJournalId == null ? {} : { resolutionJournalId }),
    ...(returnJournalId == null ? {} : { returnJournalId }),
    inquiryCount: Number(row[at.inquiry_count]),
    version: Number(row[at.version]),
    at: Number(row[at.accepted_at]),
    submittedAt: Number(row[at.submitted_at]),
  };
}
