/** Up to which id an audit has found everything in order. */
import type { Client } from "pg";
import { queryRows } from "../postgres/query-rows.ts";

const name = "audit_watermark";
const mayKeep = "has_function_privilege('keep_audit_position(uuid, text)', 'execute')";

export async function readWatermark(client: Client): Promise<string | undefined> {
  const [row] = await queryRows(client, {
    text: "select value #>> '{}' from service_state where name = $1",
    values: [name],
  });
  return row?.[0] ?? undefined;
}

/**
 * Nothing is kept where it is not the one any more that the audit found when it began: a period that was attached meanwhile
 * has set it back. The session reads only; on a standby, and by a role that may not write it, an operator's own, nothing
 * can be kept, and nothing is.
 */
export async function keepWatermark(client: Client, id: string, found: string | undefined): Promise<void> {
  const [kept] = await queryRows(client, { text: `select (not pg_is_in_recovery() and ${mayKeep})::text` });
  if (kept?.[0] !== "true") return;
  await client.query("begin read write");
  await queryRows(client, { text: "select keep_audit_position($1::uuid, $2)", values: [id, found ?? null] });
  await client.query("commit");
}

/** The session's role, where it may not keep a position and is no operator's own. */
export async function findRoleWithoutPosition(client: Client): Promise<string | undefined> {
  const text = `select session_user where not ${mayKeep}
    and not exists (select from operators where database_role = session_user and ended_at is null)`;
  return (await queryRows(client, { text }))[0]?.[0] ?? undefined;
}
