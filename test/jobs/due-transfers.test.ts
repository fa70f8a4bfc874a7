/** Looking after one rail costs the same however much is due on the others (spec D17). */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { RailName } from "../../packages/server/src/ledger/rails/terms.ts";
import { createAdminPool } from "../../packages/server/src/store/postgres/connect.ts";
import { claimDueTransfers, countDueTransfers } from "../../packages/server/src/store/tables/due-transfers.ts";
import { useDatabase } from "../support/database/database.ts";

const database = await useDatabase();
// One connection: what it has read in a transaction is counted there.
const pool = createAdminPool(database.url, 1);
after(async () => {
  await pool.end();
  await database.drop();
});

const now = Date.UTC(2026, 10, 25, 3);
const waiting = 5_000;

/** Transfers that nobody reconciles: no node is connected to their rail. */
async function leave(rail: RailName): Promise<void> {
  const id = "gen_random_uuid()";
  await pool.query(
    `insert into transfers (id, partner, service, rail, source_account_id, currency, amount, fee, daily_limit_amount, business_date,
        suspense_part, state, is_open, resolved_synchronously, version, accepted_at, submitted_at, next_inquiry_at)
      select ${id}, ${id}, 23, $1, ${id}, 'IDR', 1, 0, 1, 1, 0, 'submitted', true, false, 0, $2, $2, $2 from generate_series(1, $3)`,
    [rail, new Date(now - 1_000), waiting],
  );
  await pool.query("analyze transfers");
}

/** Rows of transfers that this connection has read, as far as they are not given to the server's own count. */
async function rowsRead(): Promise<number> {
  const { rows } = await pool.query<{ read: string }>(
    "select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'transfers'",
  );
  return Number(rows[0]?.read);
}

/** Number of rows of transfers that the work has read; in a transaction, because nothing is submitted within one. */
async function readBy(work: () => Promise<unknown>): Promise<number> {
  await pool.query("begin");
  try {
    const before = await rowsRead();
    await work();
    return (await rowsRead()) - before;
  } finally {
    await pool.query("rollback");
  }
}

test("what is due on a rail that nobody reconciles is read by no run for another", async () => {
  await leave("skn");
  const intervals = { min: 10_000, max: 300_000 };
  assert.equal(await readBy(() => countDueTransfers(pool, { rail: "skn", now, besides: [] })), waiting);
  const looks = [
    () => claimDueTransfers(pool, { rail: "interbank", now, limit: 32, intervals }),
    () => countDueTransfers(pool, { rail: "interbank", now, besides: [] }),
  ];
  for (const look of looks) {
    const read = await readBy(look);
    // The planner reads the ends of an index.
    assert.ok(read <= 4, `${read} rows`);
  }
});
