/** Open holds whose time has passed. */
import type { Pool } from "pg";
import { queryRows } from "../postgres/query-rows.ts";
import { plainArray } from "../postgres/sql-arrays.ts";

interface DuePage {
  /** Business time (epoch ms). */
  readonly now: number;
  readonly limit: number;
  /** Of so many that ended first. */
  readonly among: number;
  /** Ids left out. */
  readonly besides: readonly string[];
}

/** Ids, in no order: each caller gets others of what ended first, so that nodes share what ends at once. */
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

/** How many are due, `most` at most: 100,000 that end together would be counted for longer than a page of them takes. */
export async function countDueHolds(pool: Pool, now: number, limit: number): Promise<number> {
  const rows = await queryRows(pool, {
    name: "count-due-holds",
    text: `select count(*) from (
      select from holds where is_open and expires_at <= $1::timestamptz limit $2::int) due`,
    values: [new Date(now).toISOString(), limit],
  });
  return Number(rows[0]?.[0]);
}
