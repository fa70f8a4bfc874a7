/** The search made again, by the role of jobs, and keys of its words ended, by the owner of the schema (docs/guides/finding.md). */
import type { Client } from "pg";

/** Empties the words. Nodes make them again from the oldest record on; until then they find less. */
export async function emptySearch(client: Client): Promise<void> {
  await client.query("select empty_search()");
}

/** Ends the keys of all months up to this one, such as `2026-01`; answers how many there were. */
export async function endSearchKeys(client: Client, month: string): Promise<number> {
  const ended = await client.query(
    "update search_keys set key = null where month <= to_date($1, 'YYYY-MM') and key is not null",
    [month],
  );
  // Months before have no key of their own, and get none.
  await client.query("insert into search_keys (month) values (to_date($1, 'YYYY-MM')) on conflict (month) do nothing", [
    month,
  ]);
  // The versions that have the keys are removed at once.
  await client.query("vacuum search_keys");
  return ended.rowCount ?? 0;
}
