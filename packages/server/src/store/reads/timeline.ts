/** Identity of this copy of the database, as PostgreSQL says: for information. */
import type { Pool } from "pg";
import { queryRows } from "../postgres/query-rows.ts";

export async function readTimeline(
  pool: Pool,
): Promise<{ readonly systemIdentifier: string; readonly timeline: number }> {
  const [row] = await queryRows(pool, {
    text: "select (select system_identifier from pg_control_system()), (select timeline_id from pg_control_checkpoint())",
  });
  return { systemIdentifier: row?.[0] ?? "", timeline: Number(row?.[1]) };
}
