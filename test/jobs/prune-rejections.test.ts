/** Rejections are kept for 90 days of business time, and pruned in slices (spec D8). */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createClock } from "../../packages/server/src/clock.ts";
import { createPruneRejections } from "../../packages/server/src/jobs/prune.ts";
import { createAdminPool } from "../../packages/server/src/store/postgres/connect.ts";
import { useDatabase } from "../support/database/database.ts";

const database = await useDatabase();
const pool = createAdminPool(database.url, 2);
after(async () => {
  await pool.end();
  await database.drop();
});

const day = 86_400_000;

/** Rejections decided at that time, all of one partner. */
async function reject(count: number, at: number): Promise<void> {
  const id = "gen_random_uuid()";
  await pool.query(
    `insert into rejected_requests (id, partner, service, external_id_key, partner_reference_key, signature_key, kind, payload,
       rejected_at, sent_at)
     select ${id}, ${id}, 17, ${id}, ${id}, ${id}, 'insufficientFunds', '{}', $2, $2 from generate_series(1, $1)`,
    [count, new Date(at)],
  );
}

test("what is older than 90 days goes, in as many slices as it takes; the rest stays", async () => {
  const clock = createClock();
  const now = clock.now();
  const { run } = createPruneRejections({ pool, clock });
  await reject(2_500, now - 91 * day);
  await reject(3, now - 89 * day);
  assert.equal(await run(Infinity), 2_500);
  assert.equal(await run(Infinity), 0);
  clock.setOffset(2 * day);
  assert.equal(await run(Infinity), 3);
});

test("a slice reads the oldest rejections by their time, and never sorts all that are old", async () => {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query("set local enable_sort = off");
    const { rows } = await client.query<{ "QUERY PLAN": string }>(
      "explain select id from rejected_requests where rejected_at < '2026-01-01' order by rejected_at limit 1000",
    );
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    assert.match(plan, /Index Scan using rejected_requests_rejected_at/);
    assert.doesNotMatch(plan, /Sort/);
  } finally {
    await client.query("rollback");
    client.release();
  }
});
