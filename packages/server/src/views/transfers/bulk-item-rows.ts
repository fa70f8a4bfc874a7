/** Items of a bulk as queries and operators see them: found by their positions. */
import { operations } from "@titian/contract";
import type { Pool } from "pg";
import { type Minor, minor } from "../../ledger/money.ts";
import { type TransferState, transferStates } from "../../ledger/transfers/states.ts";
import { queryRows } from "../../store/postgres/query-rows.ts";
import { epochMs } from "../../store/statements/select-list.ts";
import { foundColumns, type FoundTransfer, readFoundTransfer } from "../../store/reads/transfers.ts";

export interface BulkItemPage {
  /** Id. */
  readonly bulk: string;
  readonly states: readonly TransferState[];
  /** Without those that were never submitted. */
  readonly isSubmitted: boolean;
  /** Position after which the page begins; absent: from the first. */
  readonly after?: number | undefined;
  readonly limit: number;
}

/** In the order of the request. */
export async function listBulkItems(
  pool: Pool,
  { bulk, states, isSubmitted, after = -1, limit }: BulkItemPage,
): Promise<readonly FoundTransfer[]> {
  const rows = await queryRows(pool, {
    name: "list-bulk-items",
    text: `select ${foundColumns} from transfers where bulk_id = $1::uuid and bulk_position > $2::int
        and state = any($3::text[]) and not ($4::boolean and is_open and next_inquiry_at is null)
      order by bulk_position limit $5::int`,
    values: [bulk, after, states, isSubmitted, limit],
  });
  return rows.map(readFoundTransfer);
}

/** Items of a bulk in one state. */
export interface ItemsInState {
  readonly state: TransferState;
  readonly count: number;
  /** Those of them that were never submitted to the rail. */
  readonly unsubmittedCount: number;
  /** Sums in minor units. */
  readonly sentAmount: Minor;
  readonly fee: Minor;
}

/** By state, in the order of `transferStates`; a state of no item is left out. */
export async function countBulkItems(pool: Pool, bulk: string): Promise<readonly ItemsInState[]> {
  const rows = await queryRows(pool, {
    name: "count-bulk-items",
    text: `select state, count(*), count(*) filter (where is_open and next_inquiry_at is null), sum(amount), sum(fee)
      from transfers where bulk_id = $1::uuid group by state order by array_position($2::text[], state)`,
    values: [bulk, Object.keys(transferStates)],
  });
  return rows.map(([state, count, unsubmitted, sentAmount, fee]) => ({
    state: state as TransferState,
    count: Number(count),
    unsubmittedCount: Number(unsubmitted),
    sentAmount: minor(BigInt(sentAmount as string)),
    fee: minor(BigInt(fee as string)),
  }));
}

export interface BulkNotification {
  /** `latestTransactionStatus`. */
  readonly status: string;
  /** When it was written (business time, epoch ms). */
  readonly at: number;
}

const notification = Number(operations.bulkNotification.code);

/** The notification of a bulk; undefined while it is open. */
export async function findBulkNotification(pool: Pool, bulk: string): Promise<BulkNotification | undefined> {
  const [row] = await queryRows(pool, {
    name: "read-bulk-notification",
    text: `select status, ${epochMs("created_at")} from outbox where aggregate_id = $1::uuid and service = $2::int`,
    values: [bulk, notification],
  });
  return row && { status: row[0] as string, at: Number(row[1]) };
}
