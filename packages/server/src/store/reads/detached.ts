/** Partitions that the operator has detached: what is asked for may be in one of them. */
import type { Pool } from "pg";
import { queryRows } from "../postgres/query-rows.ts";

/**
 * Name of the detached partition that has the accepted request of this id, or the events of this hold, if there were any;
 * undefined: none has.
 */
export async function findDetachedPartition(
  pool: Pool,
  id: string,
  parent: "accepted_requests" | "hold_events" = "accepted_requests",
): Promise<string | undefined> {
  const [row] = await queryRows(pool, {
    name: "find-detached-partition",
    text: "select name from detached_partitions where parent = $2 and from_id <= $1::uuid and to_id > $1::uuid",
    values: [id, parent],
  });
  return row?.[0] ?? undefined;
}

/** Names of the detached partitions of accepted requests with ids from `from` on and below `before`, newest first. */
export async function listDetachedBetween(pool: Pool, from: string, before: string): Promise<readonly string[]> {
  const rows = await queryRows(pool, {
    name: "list-detached-between",
    text: `select name from detached_partitions where parent = 'accepted_requests' and from_id < $2::uuid and to_id > $1::uuid
      order by from_id desc`,
    values: [from, before],
  });
  return rows.map(([name]) => name as string);
}

/** @throws where a request that was not found may be in a detached partition: nobody may be told that there is none. */
export async function assertAttached(pool: Pool, id: string): Promise<void> {
  const name = await findDetachedPartition(pool, id);
  if (name !== undefined)
    throw new Error(`request ${id} may be in the detached partition ${name}: titian database attach ${name}`);
}
