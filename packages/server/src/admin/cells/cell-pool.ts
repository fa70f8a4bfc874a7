/** Connections of administration to one cell. */
import type { CellAddress } from "../../basics/cell-address.ts";
import { createAdminPool, type StatementPool } from "../../store/postgres/connect.ts";

/** @throws PostgreSQL's or the driver's error where the cell does not answer. */
export async function withCellPool<Result>(
  { url }: Pick<CellAddress, "url">,
  work: (pool: StatementPool) => Promise<Result>,
): Promise<Result> {
  const pool = createAdminPool(url, 2);
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}
