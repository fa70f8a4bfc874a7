/** Metrics of pending transfers, by rail: read from the database, and not shown when it cannot be read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { watchPendingTransfers } from "../../packages/server/src/compose/watch-pending-transfers.ts";
import { createMetrics } from "../../packages/server/src/observability/metrics.ts";
import { createAdminPool, createReadPool } from "../../packages/server/src/store/postgres/connect.ts";
import { useDatabase } from "../support/database/database.ts";

test("metrics of pending transfers vanish when they cannot be read, and a long read rests", async () => {
  await using database = await useDatabase();
  const pool = createReadPool(database.url, 1);
  const metrics = createMetrics();
  // Each look at it takes 100 ms.
  let elapsed = 0;
  const clock = { now: () => 7_200_000, monotonic: () => (elapsed += 100) };
  const job = watchPendingTransfers({ metrics, pool, clock });
  const look = () => job.run(Infinity);
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

/** Two open transfers, accepted at the epoch and two hours later. */
async function place(url: string): Promise<void> {
  const writer = createAdminPool(url, 1);
  const id = "gen_random_uuid()";
  await writer.query(`
    insert into transfers (id, partner, service, rail, source_account_id, currency, amount, fee, daily_limit_amount, business_date,
        state, is_open, resolved_synchronously, version, accepted_at, submitted_at, next_inquiry_at)
      select ${id}, ${id}, 23, 'skn', ${id}, 'IDR', 1, 0, 1, 1, 'submitted', true, false, 0, to_timestamp(n * 7200),
        now(), now()
      from generate_series(0, 1) n`);
  await writer.end();
}
