/** Transfers whose result is awaited, for operators. */
import type { Pool } from "pg";
import type { RailTransfer } from "../../ledger/rail-transfer.ts";
import type { TextRow } from "../session.ts";
import { readTransfer, transferColumns } from "../transfers.ts";

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

/** The oldest first, after the given id; at most so many. */
export async function listOpenTransfers(
  pool: Pool,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<readonly RailTransfer[]> {
  const { rows } = await pool.query<(string | null)[]>({
    name: "list-open-transfers",
    text: `select ${transferColumns} from transfers
      where is_open and id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') order by id limit $2::int`,
    values: [after, limit],
    rowMode: "array",
  });
  return rows.map((row: TextRow) => readTransfer(row));
}
