/** Transfers over rails as queries and operators see them: committed rows, nothing locked. */
import type { Pool } from "pg";
import { queryRows } from "../postgres/query-rows.ts";
import type { RailName } from "../../ledger/rails/terms.ts";
import type { TransferState } from "../../ledger/transfers/states.ts";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import { epochMs } from "../statements/select-list.ts";
import type { TextRow } from "../postgres/session.ts";
import { readTransfer, transferColumns } from "../tables/transfers.ts";

export async function findTransfer(pool: Pool, id: string): Promise<RailTransfer | undefined> {
  const [row] = await queryRows(pool, {
    name: "read-transfer",
    text: `select ${transferColumns.sql} from transfers where id = $1::uuid`,
    values: [id],
  });
  return row && readTransfer(row);
}

/** By id, of those that are transfers. */
export async function findTransferStates(
  pool: Pool,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TransferState>> {
  const rows = await queryRows(pool, {
    name: "find-transfer-states",
    text: "select id, state from transfers where id = any($1::uuid[])",
    values: [ids],
  });
  return new Map(rows.map(([id, state]) => [id as string, state as TransferState]));
}

export interface FoundTransfer {
  readonly transfer: RailTransfer;
  readonly payerAccountNo: string;
  readonly externalId: string;
  /** Payload of its request, as JSON text. */
  readonly payload: string;
  /** Journal that debited the payer: the approval's of a payment request (19), the bulk's of an item of a bulk (20). */
  readonly submissionJournalId: string;
  /** Position of an item in its bulk, from 0. */
  readonly bulkPosition: number | undefined;
  /** While it is pending: its next inquiry (business time, epoch ms); undefined for an item that waits for its turn. */
  readonly dueAt: number | undefined;
}

export interface TransferPage {
  /** Id above which the page begins; absent: from the oldest. */
  readonly after?: string | undefined;
  /** Business time (epoch ms) up to which they were accepted; absent: at any time. */
  readonly acceptedUntil?: number | undefined;
  /** Also items of bulks that have not been pending for long: they may be many. */
  readonly withItems: boolean;
  readonly limit: number;
}

export const foundColumns = `${transferColumns.sql}, (select account_no from accounts where accounts.id = source_account_id),
  (select external_id from accepted_requests r where r.id = transfers.id),
  (select payload from accepted_requests r where r.id = transfers.id),
  coalesce(bulk_id, (select approval_journal_id from payment_requests p where p.id = transfers.id), id), bulk_position,
  ${epochMs("next_inquiry_at")}`;

const ofJournal = `id = $1::uuid or resolution_journal_id = $1::uuid or return_journal_id = $1::uuid
  or id = (select id from payment_requests where approval_journal_id = $1::uuid)`;

/**
 * The transfer of this id, or the one that was submitted, resolved or returned by the journal of this id. Undefined, too, where
 * that settled several.
 */
export async function findTransferOf(pool: Pool, id: string): Promise<FoundTransfer | undefined> {
  const [row, other] = await queryRows(pool, {
    name: "read-transfer-of",
    text: `select ${foundColumns} from transfers where ${ofJournal} limit 2`,
    values: [id],
  });
  return row && !other ? readFoundTransfer(row) : undefined;
}

/** Ids of the transfers that the journal of this id submitted, resolved or returned. */
export async function findTransfersOfJournal(pool: Pool, id: string, limit: number): Promise<readonly string[]> {
  const rows = await queryRows(pool, {
    name: "read-transfers-of-journal",
    text: `select id from transfers where ${ofJournal} limit $2::int`,
    values: [id, limit],
  });
  return rows.map(([found]) => found as string);
}

/** By id; unknown ids are left out. */
export async function findTransfersById(pool: Pool, ids: readonly string[]): Promise<readonly FoundTransfer[]> {
  const rows = await queryRows(pool, {
    name: "read-transfers-by-id",
    text: `select ${foundColumns} from transfers where id = any($1::uuid[])`,
    values: [ids],
  });
  return rows.map(readFoundTransfer);
}

/**
 * Items of bulks wait for their turn, however long that takes, and then for a result like all others: of these only such
 * count as late that the rail was asked about so often, about ten minutes after they were submitted.
 */
const needsAttention = "(bulk_id is null or inquiry_count >= 6)";

/** Pending transfers, the oldest first. They are few: found first, then sorted. */
export async function listOpenTransfers(
  pool: Pool,
  { after, acceptedUntil, withItems, limit }: TransferPage,
): Promise<readonly FoundTransfer[]> {
  const rows = await queryRows(pool, {
    name: "list-open-transfers",
    text: `with found as materialized (select id from transfers
        where is_open and ($4::boolean or ${needsAttention})
          and ($1::uuid is null or id > $1::uuid) and ($2::timestamptz is null or accepted_at <= $2::timestamptz))
      select ${foundColumns} from transfers where id in (select id from found order by id limit $3::int) order by id`,
    values: [after, acceptedUntil === undefined ? undefined : new Date(acceptedUntil).toISOString(), limit, withItems],
  });
  return rows.map(readFoundTransfer);
}

/** A row of `foundColumns`. */
export function readFoundTransfer(row: TextRow): FoundTransfer {
  const [payerAccountNo, externalId, payload, submissionJournalId, bulkPosition, dueAt] = row.slice(-6);
  return {
    transfer: readTransfer(row),
    payerAccountNo: payerAccountNo ?? "",
    externalId: externalId ?? "",
    payload: payload ?? "{}",
    submissionJournalId: submissionJournalId as string,
    bulkPosition: bulkPosition == null ? undefined : Number(bulkPosition),
    dueAt: dueAt == null ? undefined : Number(dueAt),
  };
}

export interface OpenTransfers {
  /** Without items of bulks that were never submitted. */
  readonly open: number;
  /** Older than `longMs`; of items of bulks, like `oldestMs`, only those that the rail was asked about for minutes. */
  readonly longOpen: number;
  readonly oldestMs: number;
}

/** Pending transfers by rail, without rails that have none. Ages are of business time. */
export async function readOpenTransfers(
  pool: Pool,
  now: number,
  longMs: number,
): Promise<ReadonlyMap<string, OpenTransfers>> {
  const rows = await queryRows(pool, {
    name: "read-open-transfers",
    text: `select rail, count(*) filter (where next_inquiry_at is not null),
        count(*) filter (where accepted_at <= $2::timestamptz and ${needsAttention}),
        coalesce(extract(epoch from $1::timestamptz - min(accepted_at) filter (where ${needsAttention})) * 1000, 0)::bigint
      from transfers where is_open group by rail`,
    values: [new Date(now).toISOString(), new Date(now - longMs).toISOString()],
  });
  return new Map(
    rows.map(([rail, open, longOpen, oldestMs]) => [
      rail as string,
      { open: Number(open), longOpen: Number(longOpen), oldestMs: Number(oldestMs) },
    ]),
  );
}

/** Counts pending transfers that the rail may have. */
export async function countSubmitted(pool: Pool, rail: RailName): Promise<number> {
  const rows = await queryRows(pool, {
    name: "count-submitted",
    text: "select count(*) from transfers where is_open and rail = $1 and state <> 'queued'",
    values: [rail],
  });
  return Number(rows[0]?.[0]);
}

/** True: transfers from the account await a result, or a bulk does. */
export async function hasOpenTransfers(pool: Pool, accountId: string): Promise<boolean> {
  const [row] = await queryRows(pool, {
    text: `select exists (select from transfers where source_account_id = $1 and is_open and bulk_id is null)
      or exists (select from bulks where source_account_id = $1 and is_open)`,
    values: [accountId],
  });
  return row?.[0] === "t";
}
