/** Expired holds that are still open. */
import type { Pool } from "pg";
import { queryRows } from "../postgres/query-rows.ts";
import { plainArray } from "../postgres/sql-arrays.ts";

interface DuePage {
  /** Business time (epoch ms). */
  readonly now: number;
  readonly limit: number;
  /** Sampled from this many that expired first. */
  readonly among: number;
  /** Ids to leave out. */
  readonly besides: readonly string[];
}

/** A random sample of ids, so that nodes share holds that expire at once. */
export async function sampleDueHolds(pool: Pool, { now, limit, among, besides }: DuePage): Promise<readonly string[]> {
  const rows = await queryRows(pool, {
    name: "sample-due-holds",
    text: `select id from (
        select id from holds where is_open and expires_at <= $1::timestamptz and id <> all($4::uuid[])
        order by expires_at, id limit $2::int) due
      order by random() limit $3::int`,
    values: [new Date(now).toISOString(), among, limit, plainArray(besides)],
  });
  return rows.map(([id]) => id as string);
}

/** Counts due holds, up to `limit`: counting 100,000 would take longer than expiring a page of them. */
export async function countDueHolds(pool: Pool, now: number, limit: number): Promise<number> {
  const rows = await queryRows(pool, {
    name: "count-due-holds",
    text: `select count(*) from (
      select from holds where is_open and expires_at <= $1::timestamptz limit $2::int) due`,
    values: [new Date(now).toISOString(), limit],
  });
  return Number(rows[0]?.[0]);
}
