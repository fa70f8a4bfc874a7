/**
 * Partitions of the tables that only grow (docs/guides/database-growth.md). The database makes them; see
 * 0006-partitions.sql.
 */
import type { Pool } from "pg";
import { epochMs } from "../statements/select-list.ts";
import { queryRows } from "../postgres/query-rows.ts";
import { skipIfLocked } from "./skip-if-locked.ts";

export const partitionedTables = [
  "accepted_requests",
  "entries",
  "hold_events",
  "closed_holds",
  "rejected_requests",
  "delivery_attempts",
  "search_words",
  "kept_calls",
] as const;

export type PartitionedTable = (typeof partitionedTables)[number];

/** When the newest partition of a table ends (epoch ms); undefined: it has none. */
export async function readEndOfPartitions(pool: Pool, table: PartitionedTable): Promise<number | undefined> {
  const [row] = await queryRows(pool, {
    name: "read-end-of-partitions",
    text: `select ${epochMs("max(time_of(to_id))")} from partitions where parent = $1`,
    values: [table],
  });
  return row?.[0] == null ? undefined : Number(row[0]);
}

export interface Period {
  /** Epoch ms; `to` is no part of it. */
  readonly from: number;
  readonly to: number;
}

/** Makes the partition of a period: false where another has a part of it, or a lock was not free within 100 ms. */
export async function makePartition(pool: Pool, table: PartitionedTable, { from, to }: Period): Promise<boolean> {
  const rows = await skipIfLocked(() =>
    queryRows(pool, {
      name: "make-partition",
      text: "select make_partition($1, $2::timestamptz, $3::timestamptz)",
      values: [table, new Date(from).toISOString(), new Date(to).toISOString()],
    }),
  );
  return rows?.[0]?.[0] === "t";
}

/** Tables whose rows are kept for a while. */
export type KeptForAWhile = Extract<
  PartitionedTable,
  "rejected_requests" | "delivery_attempts" | "search_words" | "kept_calls"
>;

/** Drops partitions that end at a moment (epoch ms) or before; answers how many. 0 where a lock was not free within 100 ms. */
export async function dropPartitions(pool: Pool, table: KeptForAWhile, until: number): Promise<number> {
  const rows = await skipIfLocked(() =>
    queryRows(pool, {
      name: "drop-partitions",
      text: "select drop_partitions($1, $2::timestamptz)",
      values: [table, new Date(until).toISOString()],
    }),
  );
  return Number(rows?.[0]?.[0] ?? 0);
}

/** Counts rows that have no partition of their own; at most 1,000. */
export async function countDefaultRows(pool: Pool, table: PartitionedTable): Promise<number> {
  const [row] = await queryRows(pool, {
    name: "count-default-rows",
    text: "select count_default_rows($1)",
    values: [table],
  });
  return Number(row?.[0]);
}
