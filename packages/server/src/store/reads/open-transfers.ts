/** How many transfers await their result, for figures. */
import type { Pool } from "pg";

export interface OpenTransfers {
  readonly open: number;
  /** Those older than asked for. */
  readonly longOpen: number;
  readonly oldestMs: number;
}

/** Ages are of business time. */
export async function readOpenTransfers(pool: Pool, now: number, longMs: number): Promise<OpenTransfers> {
  const { rows } = await pool.query<string[]>({
    name: "read-open-transfers",
    text: `select count(*), count(*) filter (where at <= $2::timestamptz),
        coalesce(extract(epoch from $1::timestamptz - min(at)) * 1000, 0)::bigint
      from transfers where is_open`,
    values: [new Date(now).toISOString(), new Date(now - longMs).toISOString()],
    rowMode: "array",
  });
  const [open, longOpen, oldestMs] = (rows[0] ?? []).map(Number);
  return { open: open ?? 0, longOpen: longOpen ?? 0, oldestMs: oldestMs ?? 0 };
}
