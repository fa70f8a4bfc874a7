/**
 * Indexes of tables in use: built concurrently, so that no write waits for it. PostgreSQL does that outside a
 * transaction only, and leaves an invalid index behind where it was interrupted.
 */
import { connectPlain } from "./connect.ts";

/** The first line of a migration that runs outside a transaction. */
export const concurrentMark = "-- concurrent";

const permitted = /^(?:create (?:unique )?index concurrently if not exists|drop index concurrently if exists) (\w+)\b/;

/**
 * Runs the statements of such a migration one by one, each of which may have been run before.
 * @throws for a statement that is neither `create [unique] index concurrently if not exists` nor
 * `drop index concurrently if exists`; none has run then.
 */
export async function runConcurrentMigration(url: string, sql: string): Promise<void> {
  const statements = sql
    .replaceAll(/--.*$/gm, "")
    .split(";")
    .map((text) => text.trim())
    .filter((text) => text !== "");
  const named = statements.map((text) => ({ text, index: permitted.exec(text)?.[1] }));
  const other = named.find(({ index }) => index === undefined);
  if (other) throw new Error(`a concurrent migration only creates or drops indexes concurrently: ${other.text}`);
  const client = await connectPlain({ connectionString: url, application_name: "titian migrate index" });
  try {
    // It waits for every transaction that began before it, and nothing waits for it.
    await client.query("set lock_timeout = 0; set statement_timeout = 0");
    for (const { text, index } of named) {
      const invalid = "select from pg_index where indexrelid = to_regclass($1) and not indisvalid";
      const left = await client.query(invalid, [index]);
      if (left.rowCount === 1) await client.query(`drop index concurrently if exists ${index}`);
      await client.query(text);
    }
  } finally {
    await client.end();
  }
}
