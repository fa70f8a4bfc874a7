/** Bulks as queries and operators see them: committed rows, nothing locked. */
import type { Pool } from "pg";
import type { Bulk } from "../../ledger/bulks/bulk.ts";
import { queryRows } from "../postgres/query-rows.ts";
import type { TextRow } from "../postgres/session.ts";
import { bulkColumns, readBulk } from "../tables/bulks.ts";
import { beyond, type ReadPage } from "./scan-list.ts";

export async function findBulk(pool: Pool, id: string): Promise<Bulk | undefined> {
  const [row] = await queryRows(pool, {
    name: "read-bulk",
    text: `select ${bulkColumns.sql} from bulks where id = $1::uuid`,
    values: [id],
  });
  return row && readBulk(row);
}

/** With the request that it was accepted from. */
export interface FoundBulk {
  readonly bulk: Bulk;
  readonly payerAccountNo: string;
  readonly externalId: string;
  /** Payload of the accepted request, as JSON text. */
  readonly payload: string;
}

const foundColumns = `${bulkColumns.of("b")},
  (select account_no from accounts where accounts.id = b.source_account_id), r.external_id, r.payload`;
/** With a limit it is looked up for each row: a plan that joins them reads all accepted requests. */
const requestOf = "cross join lateral (select external_id, payload from accepted_requests where id = b.id limit 1) r";

/** The bulk of this id, or that of the item of this id, or of the item that the journal of this id ended or returned. */
export async function findBulkOf(pool: Pool, id: string): Promise<FoundBulk | undefined> {
  const [row] = await queryRows(pool, {
    name: "read-bulk-of",
    text: `select ${foundColumns} from bulks b ${requestOf} where b.id in ($1::uuid, (select bulk_id from transfers
      where id = $1::uuid or resolution_journal_id = $1::uuid or return_journal_id = $1::uuid limit 1))`,
    values: [id],
  });
  return row && readFound(row);
}

export interface BulkPage extends ReadPage {
  /** Internal id; absent: of all partners. */
  readonly partner?: string | undefined;
  /** Only those with items that have no result yet. */
  readonly isOpen: boolean;
}

/** Beyond an id in the order of a list. Open ones are few beside all, and sorted once they are found by that. */
export async function listBulks(
  pool: Pool,
  { partner, isOpen, start, limit, isOldestFirst }: BulkPage,
): Promise<readonly FoundBulk[]> {
  const { condition, order, suffix } = beyond(isOldestFirst);
  const conditions = [
    condition,
    ...(isOpen ? ["is_open"] : []),
    ...(partner === undefined ? [] : ["partner = $3::uuid"]),
  ];
  const rows = await queryRows(pool, {
    name: `list${isOpen ? "-open" : ""}-bulks${partner === undefined ? "" : "-of-partner"}${suffix}`,
    text: `with found as ${isOpen ? "materialized" : ""} (select * from bulks where ${conditions.join(" and ")})
      select ${foundColumns} from (select * from found order by ${order} limit $2::int) b ${requestOf} order by b.${order}`,
    values: [start, limit, ...(partner === undefined ? [] : [partner])],
  });
  return rows.map(readFound);
}

/** A row of `foundColumns`. */
function readFound(row: TextRow): FoundBulk {
  const [payerAccountNo, externalId, payload] = row.slice(-3) as string[];
  return {
    bulk: readBulk(row),
    payerAccountNo: payerAccountNo as string,
    externalId: externalId as string,
    payload: payload as string,
  };
}

export interface OpenBulks {
  readonly bulks: number;
  /** Their items without a result. */
  readonly items: number;
  /** Age of the oldest (ms of business time); 0 where none is open. */
  readonly oldestMs: number;
}

/** Open bulks, at a business time (epoch ms); `acceptedUntil`: only those accepted up to then. */
export async function readOpenBulks(pool: Pool, now: number, acceptedUntil?: number): Promise<OpenBulks> {
  const [row = []] = await queryRows(pool, {
    name: "read-open-bulks",
    text: `select count(*), coalesce(sum(item_count - settled_count - rejected_count), 0),
        coalesce(extract(epoch from $1::timestamptz - min(accepted_at)) * 1000, 0)::bigint
      from bulks where is_open and ($2::timestamptz is null or accepted_at <= $2::timestamptz)`,
    values: [now, acceptedUntil].map((at) => (at === undefined ? undefined : new Date(at).toISOString())),
  });
  const [bulks, items, oldestMs] = row.map(Number);
  return { bulks: bulks ?? 0, items: items ?? 0, oldestMs: oldestMs ?? 0 };
}
