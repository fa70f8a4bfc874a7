/** Brings the block range indexes up to date that slices are read by: a range not summarized is read by every slice. */
import type { Client } from "pg";
import { queryRows } from "../postgres/query-rows.ts";
import { isOverdue } from "./statement-errors.ts";

/** The indexes of all partitions, the newest first. */
const indexes = `select i.inhrelid::regclass::text, x.indrelid::regclass::text from pg_inherits i join pg_index x on x.indexrelid = i.inhrelid
  where i.inhparent in ('entries_journal'::regclass, 'hold_events_command'::regclass) order by 2 desc`;

/** So many at once: a statement reads those among them that are new. */
const blocksAtOnce = 2_048;

/** Where it cannot be done, on a standby or while something else keeps the table's lock, slices only cost more. */
export async function summarize(client: Client): Promise<void> {
  const [standby] = await queryRows(client, { text: "select pg_is_in_recovery()::text" });
  if (standby?.[0] === "true") return;
  for (const [index, table] of await queryRows(client, { text: indexes })) {
    try {
      const size = "select pg_relation_size($1) / current_setting('block_size')::bigint";
      const blocks = Number((await queryRows(client, { text: size, values: [table] }))[0]?.[0]);
      for (let block = 0; block < blocks; block += blocksAtOnce) {
        const last = Math.min(block + blocksAtOnce, blocks) - 1;
        await queryRows(client, { text: "select summarize_block_ranges($1, $2, $3)", values: [index, block, last] });
      }
    } catch (error) {
      if (!isOverdue(error)) throw error;
      return;
    }
  }
}
