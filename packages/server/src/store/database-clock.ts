/** The database's clock: only to compare a node's with it, never a row's time. */
import type { Pool } from "pg";

/** Its time while it answered (epoch ms). */
export async function readDatabaseClock(pool: Pool): Promise<number> {
  const { rows } = await pool.query<[string]>({
    name: "read-database-clock",
    text: "select date_part('epoch', clock_timestamp()) * 1000",
    rowMode: "array",
  });
  return Number(rows[0]?.[0]);
}
