/** Identity of this copy of the database, as PostgreSQL says. */
import type { Pool } from "pg";
import { queryRows } from "../postgres/query-rows.ts";
import { serverName } from "../postgres/server-name.ts";

/** Another text for each start of its server, and wherever the database or its tables were made anew: a restore makes one. */
export async function readDatabaseStart(pool: Pool): Promise<string> {
  const [row] = await queryRows(pool, {
    name: "read-database-start",
    text: `select concat_ws(' ', ${serverName}, oid, to_regclass('accounts')::oid) from pg_database where datname = current_database()`,
  });
  return row?.[0] ?? "";
}

/** For information. */
export async function readTimeline(
  pool: Pool,
): Promise<{ readonly systemIdentifier: string; readonly timeline: number }> {
  const [row] = await queryRows(pool, {
    text: "select (select system_identifier from pg_control_system()), (select timeline_id from pg_control_checkpoint())",
  });
  return { systemIdentifier: row?.[0] ?? "", timeline: Number(row?.[1]) };
}
