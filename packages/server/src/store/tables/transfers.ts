/** Transfers that leave the bank: locked by the batch that decides on them, written once a batch. */
import { minor } from "../../ledger/money.ts";
import type { RailName } from "../../ledger/rails/terms.ts";
import type { RailTransfer, ResultSource } from "../../ledger/transfers/transfer.ts";
import type { CallRejectionKind } from "../../ledger/rejection.ts";
import type { TransferState } from "../../ledger/transfers/states.ts";
import { bigintArray, intArray, uuidArray } from "../postgres/binary-arrays.ts";
import { type LockedRow, readLockedRow } from "./locked-row.ts";
import type { Session, Statement, TextRow } from "../postgres/session.ts";
import { plainArray, readTextList, textList } from "../postgres/sql-arrays.ts";

export const transferColumns = `id, partner, service, rail, source_account_id, currency, amount, fee, daily_limit_amount,
  business_date, state, trace_no, reject_reason, resolved_synchronously, resolved_by, returned_by, resolution_journal_id,
  return_journal_id, inquiry_count, version, (extract(epoch from accepted_at) * 1000)::bigint,
  (extract(epoch from submitted_at) * 1000)::bigint`;

const lockTransfersStatement: Statement = {
  name: "lock-transfers",
  text: `select ${transferColumns} from transfers where id = any($1::uuid[]) order by id for no key update`,
};

/** Locks the named transfers in the order of their ids. What does not exist is simply not found. */
export async function lockTransfers(session: Session, ids: readonly string[]): Promise<readonly RailTransfer[]> {
  return (await session.run(lockTransfersStatement, [uuidArray(ids)])).map(readTransfer);
}

const findLockedStatement: Statement = {
  name: "find-locked-transfers",
  text: `with wanted as (select id, xmax::text as holder from transfers where id = any($1::uuid[])),
    free as (select id from transfers where id = any(array(select id from wanted)) for no key update skip locked)
    select id, null, holder from wanted where id not in (select id from free)`,
};

/** Those of the named transfers that are locked now. Waits for nobody and keeps no lock. */
export async function findLockedTransfers(session: Session, ids: readonly string[]): Promise<readonly LockedRow[]> {
  return (await session.run(findLockedStatement, [uuidArray(ids)])).map(readLockedRow);
}

const findOpenStatement: Statement = {
  name: "find-open-transfers",
  text: `select account_no from unnest(${readTextList(1)}) wanted (no) join accounts on account_no = wanted.no
    where exists (select from transfers where source_account_id = accounts.id and is_open)`,
};

/** Which of the named accounts, whose locks are held, have transfers whose result is awaited. */
export async function findPayersOfOpen(session: Session, accountNos: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await session.run(findOpenStatement, [textList(accountNos)])).map(([no]) => no as string));
}

const insertTransfersStatement: Statement = {
  name: "insert-transfers",
  text: `insert into transfers (id, partner, service, rail, source_account_id, currency, amount, fee, daily_limit_amount,
      business_date, state, is_open, resolved_synchronously, version, accepted_at, submitted_at, next_inquiry_at)
    select t.id, t.partner, t.service, t.rail, t.source_account_id, t.currency, t.amount, t.fee, t.daily_limit_amount,
      t.business_date, t.state, true, false, 0, $12::timestamptz, $12::timestamptz, $12::timestamptz + interval '10 seconds'
    from unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[], $5::uuid[], $6::text[], $7::bigint[], $8::bigint[],
      $9::bigint[], $10::int[], $11::text[])
      t (id, partner, service, rail, source_account_id, currency, amount, fee, daily_limit_amount, business_date, state)`,
};

/** Adds accepted transfers. Whoever accepted them sends them; should it die, somebody looks after them 10 s later. */
export function insertTransfers(session: Session, rows: readonly RailTransfer[], at: string): Promise<unknown> {
  return session.run(insertTransfersStatement, [
    uuidArray(rows.map((row) => row.id)),
    uuidArray(rows.map((row) => row.partner)),
    intArray(rows.map((row) => row.service)),
    plainArray(rows.map((row) => row.rail)),
    uuidArray(rows.map((row) => row.source)),
    plainArray(rows.map((row) => row.currency)),
    bigintArray(rows.map((row) => row.sentAmount)),
    bigintArray(rows.map((row) => row.fee)),
    bigintArray(rows.map((row) => row.dailyLimitAmount)),
    intArray(rows.map((row) => row.businessDate)),
    plainArray(rows.map((row) => row.state)),
    at,
  ]);
}

export interface TransferUpdate {
  readonly oldVersion: number;
  readonly transfer: RailTransfer;
}

const updateTransfersStatement: Statement = {
  name: "update-transfers",
  text: `with updated as (
    update transfers t set state = c.state, is_open = c.state in ('queued', 'submitted', 'pending'),
      trace_no = c.trace_no, reject_reason = c.reject_reason, resolved_synchronously = c.resolved_synchronously,
      resolved_by = c.resolved_by, returned_by = c.returned_by, resolution_journal_id = c.resolution_journal_id,
      return_journal_id = c.return_journal_id, version = c.version, submitted_at = c.submitted_at
    from unnest($1::uuid[], $2::int[], $3::int[], $4::text[], ${readTextList(5)}, ${readTextList(6)}, $7::boolean[],
      ${readTextList(8)}, ${readTextList(9)}, $10::uuid[], $11::uuid[], $12::timestamptz[])
      c (id, old_version, version, state, trace_no, reject_reason, resolved_synchronously, resolved_by, returned_by,
        resolution_journal_id, return_journal_id, submitted_at)
    where t.id = c.id and t.version = c.old_version returning 1)
  select 1 / (case when (select count(*) from updated) = $13::bigint then 1 else 0 end)`,
};

/** Writes what became of locked transfers; fails with 22012 if one of them is not at its old version. */
export function updateTransfers(session: Session, updates: readonly TransferUpdate[]): Promise<unknown> {
  const rows = updates.map((update) => update.transfer);
  return session.run(updateTransfersStatement, [
    uuidArray(rows.map((row) => row.id)),
    intArray(updates.map((update) => update.oldVersion)),
    intArray(rows.map((row) => row.version)),
    plainArray(rows.map((row) => row.state)),
    textList(rows.map((row) => row.traceNo)),
    textList(rows.map((row) => row.rejection)),
    plainArray(rows.map((row) => (row.isResolvedSynchronously ? "t" : "f"))),
    textList(rows.map((row) => row.resolvedBy)),
    textList(rows.map((row) => row.returnedBy)),
    plainArray(rows.map((row) => row.resolutionJournalId)),
    plainArray(rows.map((row) => row.returnJournalId)),
    plainArray(rows.map((row) => new Date(row.submittedAt).toISOString())),
    updates.length,
  ]);
}

/** A row of `transferColumns`. */
export function readTransfer(row: TextRow): RailTransfer {
  const [id, partner, service, rail, source, currency, sentAmount, fee, counted, day] = row as string[];
  const [
    state,
    traceNo,
    rejection,
    isSynchronous,
    resolvedBy,
    returnedBy,
    resolutionJournalId,
    returnJournalId,
    attempts,
    version,
    at,
    submittedAt,
  ] = row.slice(10);
  return {
    id: id as string,
    partner: partner as string,
    service: Number(service),
    rail: rail as RailName,
    source: source as string,
    currency: currency as string,
    sentAmount: minor(BigInt(sentAmount as string)),
    fee: minor(BigInt(fee as string)),
    dailyLimitAmount: minor(BigInt(counted as string)),
    businessDate: Number(day),
    state: state as TransferState,
    ...(traceNo == null ? {} : { traceNo }),
    ...(rejection == null ? {} : { rejection: rejection as CallRejectionKind }),
    isResolvedSynchronously: isSynchronous === "t" || isSynchronous === "true",
    ...(resolvedBy == null ? {} : { resolvedBy: resolvedBy as ResultSource }),
    ...(returnedBy == null ? {} : { returnedBy: returnedBy as ResultSource }),
    ...(resolutionJournalId == null ? {} : { resolutionJournalId }),
    ...(returnJournalId == null ? {} : { returnJournalId }),
    inquiryCount: Number(attempts),
    version: Number(version),
    at: Number(at),
    submittedAt: Number(submittedAt),
  };
}
