/** What an audit cannot read, because its partitions are detached. */
import type { Client } from "pg";
import { queryRows } from "../postgres/query-rows.ts";

/** SQL of the id from which on all accepted requests and entries are there; null: none are detached. */
export const detachedUntil = "(select to_id from detached_partitions order by to_id desc limit 1)";

/** SQL of whether the events of a hold are detached. */
export const hasDetachedEvents = (hold: string) =>
  `exists (select from detached_partitions d where d.parent = 'hold_events' and d.from_id <= ${hold} and d.to_id > ${hold})`;

/** Partitions that were attached again without `titian database attach`, which compares them with what was detached. */
export async function findAttachedByHand(client: Client): Promise<readonly string[]> {
  const text = "select d.name from detached_partitions d join partitions p on p.name = d.name order by d.name";
  return (await queryRows(client, { text })).map(([name]) => name ?? "");
}

export interface Period {
  /** Ids; `to` is no part of it. */
  readonly from: string;
  readonly to: string;
}

/** Periods whose accepted requests and entries are detached, the oldest first. */
export async function readDetached(client: Client): Promise<readonly Period[]> {
  const rows = await queryRows(client, { text: "select distinct from_id, to_id from detached_partitions order by 1" });
  return rows.map(([from, to]) => ({ from: from ?? "", to: to ?? "" }));
}
