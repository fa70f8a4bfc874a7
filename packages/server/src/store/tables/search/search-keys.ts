/** Keys of the words of names and of accounts at other banks, sealed: one a month. */
import type { Client, Pool } from "pg";
import { queryRows } from "../../postgres/query-rows.ts";

export interface SealedKey {
  /** Such as `2026-11`. */
  readonly month: string;
  /** Undefined: it was ended, and with it those of all months before. */
  readonly sealed: string | undefined;
}

/** In the order of their months. */
export async function listSearchKeys(pool: Pool | Client): Promise<readonly SealedKey[]> {
  const rows = await queryRows(pool, {
    name: "list-search-keys",
    text: "select to_char(month, 'YYYY-MM'), key from search_keys order by month",
  });
  return rows.map(([month, key]) => ({ month: month as string, sealed: key ?? undefined }));
}

/** One that the month has stays. */
export async function addSearchKey(pool: Pool, month: string, sealed: string): Promise<void> {
  await queryRows(pool, {
    name: "add-search-key",
    text: "insert into search_keys (month, key) values (to_date($1, 'YYYY-MM'), $2) on conflict (month) do nothing",
    values: [month, sealed],
  });
}

/** The same key under the current master key; one that was ended meanwhile stays so. */
export async function resealSearchKey(pool: Pool | Client, month: string, from: string, sealed: string): Promise<void> {
  await queryRows(pool, {
    name: "reseal-search-key",
    text: "update search_keys set key = $3 where month = to_date($1, 'YYYY-MM') and key = $2",
    values: [month, from, sealed],
  });
}
