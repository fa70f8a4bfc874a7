/** Bulks as queries see them: committed rows, nothing locked. */
import type { Pool } from "pg";
import type { Bulk } from "../../ledger/bulks/bulk.ts";
import { queryRows } from "../postgres/query-rows.ts";
import { bulkColumns, readBulk } from "../tables/bulks.ts";

export async function findBulk(pool: Pool, id: string): Promise<Bulk | undefined> {
  const [row] = await queryRows(pool, {
    name: "read-bulk",
    text: `select ${bulkColumns.sql} from bulks where id = $1::uuid`,
    values: [id],
  });
  return row && readBulk(row);
}
