/** Transfers that left the bank, as queries see them. */
import type { Pool } from "pg";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import type { TextRow } from "../postgres/session.ts";
import { readTransfer, transferColumns } from "../tables/transfers.ts";

export async function findTransfer(pool: Pool, id: string): Promise<RailTransfer | undefined> {
  const { rows } = await pool.query<TextRow[]>({
    name: "read-transfer",
    text: `select ${transferColumns.sql} from transfers where id = $1::uuid`,
    values: [id],
    rowMode: "array",
  });
  const row = rows[0] as TextRow | undefined;
  return row && readTransfer(row);
}
