/** What an audit cannot read, because its partitions are detached. */
import type { Client } from "pg";
import { queryRows } from "../postgres/query-rows.ts";

/** SQL of the id from which on all accepted requests and entries are there; null: none are detached. */
export const detachedUntil = "(select to_id from detached_partitions order by to_id desc limit 1)";

export async function readDetachedUntil(client: Client): Promise<string | undefined> {
  const [row] = await queryRows(client, { text: `select ${detachedUntil}` });
  return row?.[0] ?? undefined;
}
