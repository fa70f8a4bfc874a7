/** Transfers that await their result, and how many: for figures, and for rails that must remember them. */
import type { Pool } from "pg";
import type { RailName } from "../../ledger/rails/terms.ts";

export interface OpenTransfers {
  readonly open: number;
  /** Those older than asked for. */
  readonly longOpen: number;
  readonly oldestMs: number;
}

/** By rail; none of a rail without open transfers. Ages are of business time. */
export async function readOpenTransfers(
  pool: Pool,
  now: number,
  longMs: number,
): Promise<ReadonlyMap<string, OpenTransfers>> {
  const { rows } = await pool.query<[string, string, string, string]>({
    name: "read-open-transfers",
    text: `select rail, count(*), count(*) filter (where accepted_at <= $2::timestamptz),
        coalesce(extract(epoch from $1::timestamptz - min(accepted_at)) * 1000, 0)::bigint
      from transfers where is_open group by rail`,
    values: [new Date(now).toISOString(), new Date(now - longMs).toISOString()],
    rowMode: "array",
  });
  return new Map(
    rows.map(([rail, open, longOpen, oldestMs]) => [
      rail,
      { open: Number(open), longOpen: Number(longOpen), oldestMs: Number(oldestMs) },
    ]),
  );
}

const sliceSize = 10_000;

/** Which of these ids are of transfers that have not ended. */
export async function findOpenAmong(pool: Pool, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const open = new Set<string>();
  for (let from = 0; from < ids.length; from += sliceSize) {
    const { rows } = await pool.query<[string]>({
      name: "find-open-among",
      text: "select id from transfers where id = any($1::uuid[]) and is_open",
      values: [ids.slice(from, from + sliceSize)],
      rowMode: "array",
    });
    for (const [id] of rows) open.add(id);
  }
  return open;
}

/** How many open transfers of a rail it may have. */
export async function countSubmitted(pool: Pool, rail: RailName): Promise<number> {
  const { rows } = await pool.query<[string]>({
    name: "count-submitted",
    text: "select count(*) from transfers where is_open and rail = $1 and state <> 'queued'",
    values: [rail],
    rowMode: "array",
  });
  return Number(rows[0]?.[0]);
}
