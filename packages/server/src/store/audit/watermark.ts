/** Up to which id an audit has found everything in order. */
import type { Client } from "pg";
import { queryRows } from "../postgres/query-rows.ts";

const name = "audit_watermark";

export async function readWatermark(client: Client): Promise<string | undefined> {
  const [row] = await queryRows(client, {
    text: "select value #>> '{}' from service_state where name = $1",
    values: [name],
  });
  return row?.[0] ?? undefined;
}

/**
 * Nothing is kept where it is not the one any more that the audit found when it began: a period that was attached meanwhile
 * has set it back. The session reads only; on a standby nothing can be kept, and nothing is.
 */
export async function keepWatermark(client: Client, id: string, found: string | undefined): Promise<void> {
  const [standby] = await queryRows(client, { text: "select pg_is_in_recovery()::text" });
  if (standby?.[0] === "true") return;
  await client.query("begin read write");
  const text = `insert into service_state (name, value) values ($1, to_json($2::text))
    on conflict (name) do update set value = excluded.value
    where service_state.value #>> '{}' is not distinct from $3::text`;
  await queryRows(client, { text, values: [name, id, found ?? null] });
  await client.query("commit");
}
