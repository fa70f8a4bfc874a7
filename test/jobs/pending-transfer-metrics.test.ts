/** Metrics of pending transfers and open bulks: read from the database, and not shown when it cannot be read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { watchPendingTransfers } from "../../packages/server/src/compose/observe/watch-pending-transfers.ts";
import { createMetrics } from "../../packages/server/src/observability/metrics.ts";
import { createAdminPool, createReadPool } from "../../packages/server/src/store/postgres/connect.ts";
import { useDatabase } from "../support/database/database.ts";
import { mayGoOn } from "../support/run-job.ts";

test("metrics of pending transfers vanish when they cannot be read, and a long read rests", async () => {
  await using database = await useDatabase();
  const pool = createReadPool(database.url, 1);
  const metrics = createMetrics();
  // Each look at it takes 100 ms.
  let elapsed = 0;
  const clock = { now: () => 7_200_000, monotonic: () => (elapsed += 100) };
  const job = watchPendingTransfers({ metrics, pool, clock });
  const look = () => job.run(mayGoOn);
  const figures = async () => {
    const lines = (await metrics.render()).split("\n").filter((line) => line.startsWith("titian_transfers_pending"));
    assert.equal(
      lines.filter((line) => !line.endsWith(" 0")).every((line) => line.includes('{rail="skn"}')),
      true,
    );
    return lines.filter((line) => line.includes('{rail="skn"}')).map((line) => Number(line.split(" ")[1]));
  };
  assert.deepEqual(await figures(), [], "before the first look");
  await look();
  assert.deepEqual(await figures(), [0, 0, 0]);

  await place(database.url);
  await look();
  assert.deepEqual(await figures(), [0, 0, 0], "the look before it rests");
  elapsed += 2_000;
  await look();
  assert.deepEqual(await figures(), [2, 1, 7_200]);

  await pool.end();
  elapsed += 2_000;
  await assert.rejects(look());
  assert.deepEqual(await figures(), [], "the database is away");
});

test("items that wait for their turn are no pending transfers, and those just submitted are not overdue", async () => {
  await using database = await useDatabase();
  const metrics = createMetrics();
  const pool = createReadPool(database.url, 1);
  await placeBulk(database.url);
  await watchPendingTransfers({ metrics, pool, clock: { now: () => 7_200_000, monotonic: () => 0 } }).run(mayGoOn);
  await pool.end();
  const lines = (await metrics.render()).split("\n").filter((line) => /^titian_(transfers|bulk).* [1-9]/.test(line));
  assert.deepEqual(lines.toSorted(), [
    "titian_bulk_items_open 6",
    "titian_bulk_items_waiting 3",
    "titian_bulks_open 1",
    "titian_bulks_open_oldest_age_seconds 7200",
    'titian_transfers_pending_oldest_age_seconds{rail="interbank"} 7200',
    'titian_transfers_pending_overdue{rail="interbank"} 1',
    'titian_transfers_pending{rail="interbank"} 3',
  ]);
});

/** An open bulk accepted at the epoch: three items wait, two were submitted, one is long without a result, one has settled. */
async function placeBulk(url: string): Promise<void> {
  const writer = createAdminPool(url, 1);
  const [id, bulk] = ["gen_random_uuid()", "'018f0000-0000-7000-8000-000000000000'"];
  await writer.query(`
    insert into bulks (id, partner, source_account_id, currency, item_count, amount, fee, settled_count, rejected_count,
        returned_count, rejected_amount, rejected_fee, is_open, version, accepted_at)
      values (${bulk}, ${id}, ${id}, 'IDR', 7, 7, 0, 1, 0, 0, 0, 0, true, 1, to_timestamp(0))`);
  await writer.query(`
    insert into transfers (id, partner, service, rail, source_account_id, currency, amount, fee, daily_limit_amount,
        business_date, suspense_part, state, is_open, resolved_synchronously, version, accepted_at, submitted_at, next_inquiry_at,
        inquiry_count, resolved_by, resolution_journal_id, bulk_id, bulk_position)
      select ${id}, ${id}, 20, 'interbank', ${id}, 'IDR', 1, 0, 1, 1, 0,
        case when n < 3 then 'queued' when n < 6 then 'submitted' else 'settled' end, n < 6, false, 0, to_timestamp(0),
        to_timestamp(0), case when n >= 3 then now() end, case when n = 5 then 6 else 0 end,
        case when n = 6 then 'rail' end, case when n = 6 then ${id} end, ${bulk}, n
      from generate_series(0, 6) n`);
  await writer.end();
}

/** Two open transfers, accepted at the epoch and two hours later. */
async function place(url: string): Promise<void> {
  const writer = createAdminPool(url, 1);
  const id = "gen_random_uuid()";
  await writer.query(`
    insert into transfers (id, partner, service, rail, source_account_id, currency, amount, fee, daily_limit_amount, business_date,
        suspense_part, state, is_open, resolved_synchronously, version, accepted_at, submitted_at, next_inquiry_at)
      select ${id}, ${id}, 23, 'skn', ${id}, 'IDR', 1, 0, 1, 1, 0, 'submitted', true, false, 0, to_timestamp(n * 7200),
        now(), now()
      from generate_series(0, 1) n`);
  await writer.end();
}
