/** Size of `accounts` and the moves that let it shrink (docs/guides/database-growth.md); see 0009-compaction.sql. */
import type { Pool } from "pg";
import { queryRows } from "../postgres/query-rows.ts";
import { skipIfLocked } from "./skip-if-locked.ts";

export interface AccountsSize {
  readonly pages: number;
  /** Bytes a page. */
  readonly pageSize: number;
  /** As many as its rows need, by PostgreSQL's statistics; undefined: it has none yet. */
  readonly pagesNeeded: number | undefined;
  /** Number of the next transaction. */
  readonly nextTransaction: number;
  /** The earliest transaction that a snapshot of this database, open now, does not see. */
  readonly oldestSnapshot: number;
}

const readSize = {
  name: "read-accounts-size",
  text: `with row as (select sum(avg_width) + 28 as bytes from pg_stats where schemaname = current_schema and tablename = 'accounts'),
      open as (
        select age(backend_xmin) as age from pg_stat_activity where coalesce(datname, current_database()) = current_database()
          and pid not in (select pid from pg_stat_progress_vacuum) -- keeps nothing
        union all select age(transaction) from pg_prepared_xacts where database = current_database()
        union all select age(xmin) from pg_replication_slots)
    select pg_relation_size(oid) / size, size,
      ceil(nullif(reltuples, -1) / greatest(1, floor((size - 24) * fillfactor / 100 / row.bytes))),
      next, next - coalesce((select max(age) from open), 0)
    from pg_class, row, cast(pg_snapshot_xmax(pg_current_snapshot())::text as bigint) next,
      cast(current_setting('block_size') as int) size,
      cast(coalesce(substring(array_to_string(reloptions, ' ') from 'fillfactor=(\\d+)'), '100') as int) fillfactor
    where oid = 'accounts'::regclass`,
};

export async function readAccountsSize(pool: Pool): Promise<AccountsSize> {
  const [row = []] = await queryRows(pool, readSize);
  const [pages, pageSize, needed, next, oldest] = row;
  return {
    pages: Number(pages),
    pageSize: Number(pageSize),
    pagesNeeded: needed == null ? undefined : Number(needed),
    nextTransaction: Number(next),
    oldestSnapshot: Number(oldest),
  };
}

export interface PlacedAccount {
  readonly id: string;
  readonly page: number;
}

/** The accounts on these pages, `to` not among them, the last first. */
export async function readAccountsOnPages(pool: Pool, from: number, to: number): Promise<readonly PlacedAccount[]> {
  const rows = await queryRows(pool, {
    text: "select id, page_of(ctid) from accounts where ctid >= $1::tid and ctid < $2::tid order by ctid desc",
    values: [`(${from},0)`, `(${to},0)`],
  });
  return rows.map(([id, page]) => ({ id: id as string, page: Number(page) }));
}

/** Moves an account to a page before its own. `locked`: not within 100 ms; `noPage`: no page before has free space. */
export async function moveAccount(pool: Pool, { id, page }: PlacedAccount): Promise<"moved" | "locked" | "noPage"> {
  const statement = { name: "move-account", text: "select move_account($1::uuid, $2::bigint)", values: [id, page] };
  const rows = await skipIfLocked(() => queryRows(pool, statement));
  if (rows === undefined) return "locked";
  return rows[0]?.[0] === "t" ? "moved" : "noPage";
}
