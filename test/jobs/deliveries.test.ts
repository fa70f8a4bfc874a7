/** Notifications of many partners: those that are due are found, whatever else waits (spec D14). */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Client } from "pg";
import { createClock, momentOf } from "../../packages/server/src/basics/clock.ts";
import { highestId, lowestId, newId } from "../../packages/server/src/basics/ids.ts";
import { attemptsMax } from "../../packages/server/src/notify/delivery/schedule.ts";
import { createAdminPool } from "../../packages/server/src/store/postgres/connect.ts";
import { listStatement } from "../../packages/server/src/store/reads/notifications.ts";
import {
  attemptsStatement,
  claimDeliveries,
  claimStatement,
  recordAttempts,
  releaseDeliveries,
} from "../../packages/server/src/store/tables/notifications/deliveries.ts";
import {
  countDueDeliveries,
  dueStatement,
  findDuePartners,
} from "../../packages/server/src/store/tables/notifications/due-deliveries.ts";
import { countStatement, pickStatement } from "../../packages/server/src/store/tables/notifications/replays.ts";
import { useDatabase } from "../support/database/database.ts";
import { withClient } from "../support/database/with-client.ts";

const database = await useDatabase();
const pool = createAdminPool(database.url, 1);
after(async () => {
  await pool.end();
  await database.drop();
});

const now = Date.UTC(2026, 10, 25, 3);

async function add(
  partner: string,
  more: { subject?: string; status?: string; nextAt?: number } = {},
): Promise<string> {
  const id = newId();
  const { subject = newId(), status = "00", nextAt } = more;
  await pool.query(
    `insert into outbox (id, partner, service, aggregate_id, status, created_at, next_attempt_at)
     values ($1, $2, 76, $3, $4, $5, $6)`,
    [id, partner, subject, status, new Date(now), nextAt === undefined ? null : new Date(nextAt)],
  );
  return id;
}

const claim = async (partner: string, besides: readonly string[] = [], at = now) => {
  const capacities = [{ partner, isReplay: false, capacity: 8, hasAddress: true }];
  const terms = { capacities, now: at, at: momentOf(createClock()), leaseMs: 1_000, besides };
  const { rows, commit } = await claimDeliveries(pool, terms);
  assert.equal(commit !== undefined, rows.length > 0, "what was claimed is confirmed, and nothing else");
  return rows;
};

test("a partner whose notification is due is found among hundreds that wait for their next attempt", async () => {
  for (let count = 0; count < 300; count += 1) await add(newId(), { nextAt: now + 3_600_000 });
  const healthy = newId();
  const id = await add(healthy);
  assert.deepEqual(await findDuePartners(pool, now, 8), [{ partner: healthy, isReplay: false }]);
  assert.deepEqual(await claim(healthy, [id]), []);
  const [claimed] = await claim(healthy);
  assert.deepEqual([claimed?.id, claimed?.attempt], [id, 1]);
  // Inserted as a release before inserts it, without a version: its body is that release's.
  assert.equal(claimed?.bodyVersion, 1);
  assert.deepEqual(await claim(healthy), []);
  // Not sent after all: as if it had not been claimed.
  await releaseDeliveries(pool, [{ id, attempt: 1 }], "now");
  assert.equal((await claim(healthy))[0]?.attempt, 1);
  // Not sent for a reason of our own: no attempt is used up, and it is due when the claim ends.
  await releaseDeliveries(pool, [{ id, attempt: 1 }], "whenClaimEnds");
  assert.deepEqual(await claim(healthy), []);
  const [again] = await claim(healthy, [], now + 1_000);
  assert.equal(again?.attempt, 1);
});

test("claims that posted nothing use up no attempt, whatever became of them: the first failure has the first pause", async () => {
  const partner = newId();
  const id = await add(partner);
  const claimed = async (at: number) => (await claim(partner, [], at)).map((one) => [one.attempt, one.attemptOfSeries]);
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    assert.deepEqual(await claimed(now + attempt * 1_000), [[attempt, 1]]);
  }
  const nextAt = now + 60_000;
  const failed = { url: "https://a.example", failure: "HTTP 500", durationMs: 1, at: now, nextAt };
  await recordAttempts(pool, [{ ...failed, id, attempt: attemptsMax }]);
  assert.deepEqual(await claimed(nextAt), [[attemptsMax + 1, 2]]);
  // A replay begins a series of its own.
  await pool.query("update outbox set attempts_before_replay = attempt_count, next_attempt_at = $2 where id = $1", [
    id,
    new Date(nextAt),
  ]);
  assert.deepEqual(await claimed(nextAt), [[attemptsMax + 2, 1]]);
});

test("a return waits for its result, and is not due before", async () => {
  const [partner, subject] = [newId(), newId()];
  const result = await add(partner, { subject, nextAt: now + 60_000 });
  const returned = await add(partner, { subject, status: "04" });
  assert.deepEqual(await claim(partner), []);
  assert.equal(await countDueDeliveries(pool, [partner], now), 0);
  await pool.query("update outbox set state = 'dead' where id = $1", [result]);
  assert.equal(await countDueDeliveries(pool, [partner], now), 1);
  assert.equal((await claim(partner))[0]?.id, returned);
});

test("a result is not replayed once its return was accepted, whatever became of the return's own replay", async () => {
  const [partner, subject] = [newId(), newId()];
  const result = await add(partner, { subject });
  const returned = await add(partner, { subject, status: "04" });
  await pool.query("update outbox set state = 'delivered', delivered_at = $2 where id = any($1)", [
    [result, returned],
    new Date(now),
  ]);
  await pool.query("update outbox set state = 'dead' where id = $1", [returned]);
  const { rows } = await pool.query<{ count: string }>(countStatement({ partner, dead: false }));
  assert.equal(Number(Object.values(rows[0] ?? {})[0]), 1);
});

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

function arrayText(values: readonly unknown[]): string {
  return `{${values.map((value) => (value === undefined ? "null" : JSON.stringify(value))).join()}}`;
}

/** The plan for any values, and how many rows of the outbox it read for these. */
async function readsOf(client: Client, { text, values }: Statement): Promise<{ plan: string; rows: number }> {
  await client.query(`prepare planned as ${text}`);
  const textOf = (value: unknown) => (Array.isArray(value) ? arrayText(value) : String(value));
  const given = values.map((value) => (value === undefined ? "null" : client.escapeLiteral(textOf(value))));
  const query = `explain (analyze, costs off, timing off, buffers off) execute planned (${given.join()})`;
  const { rows } = await client.query<{ "QUERY PLAN": string }>(query);
  await client.query("deallocate planned");
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  const read = plan.matchAll(/ on outbox(?: o)? .*actual rows=([\d.]+)|Rows Removed by Filter: (\d+)/g);
  return { plan, rows: [...read].reduce((sum, [, found, removed]) => sum + Number(found ?? removed), 0) };
}

/** The dead ones are so few that either index finds a partner's. */
const undelivered = /(?:using outbox_undelivered(?:_by_partner)? on outbox o|on outbox_undelivered) /;

test("what is dead is found by its index among 10,000 that are delivered and 2,000 that were kept", async () => {
  const partner = newId();
  // Without the service's time-outs.
  await withClient(database.url, async (client) => {
    await client.query(
      `insert into outbox (id, partner, service, aggregate_id, status, created_at, state)
       select gen_random_uuid(), case when n <= 2 or n % 6 = 0 then $1::uuid else gen_random_uuid() end, 76, gen_random_uuid(),
         '00', $2, case when n <= 5 then 'dead' when n % 6 = 0 then 'kept' else 'delivered' end
       from generate_series(1, 12000) n`,
      [partner, new Date(now)],
    );
    // All rows are read: the few dead ones are in few samples.
    await client.query("set default_statistics_target = 1000; analyze outbox");
    await client.query("begin; set local plan_cache_mode = force_generic_plan");
    const selection = { dead: true };
    const statements: readonly Statement[] = [
      listStatement({ state: "dead", start: highestId, limit: 101 }),
      listStatement({ state: "dead", partner, start: highestId, limit: 101 }),
      countStatement(selection),
      pickStatement(selection, lowestId),
    ];
    for (const statement of statements) {
      const { plan, rows } = await readsOf(client, statement);
      assert.match(plan, undelivered);
      assert.ok(rows > 0 && rows < 50, `${rows} rows: ${plan}`);
    }
    await client.query("rollback");
  });
});

test("attempts are recorded by the ids of their notifications, however many wait by then", async () => {
  const partner = newId();
  await withClient(database.url, async (client) => {
    // When the statement is planned none seems to wait.
    await client.query("update outbox set state = 'delivered' where state = 'waiting'");
    await client.query("vacuum analyze outbox");
    const { rows: added } = await client.query<{ id: string }>(
      `insert into outbox (id, partner, service, aggregate_id, status, created_at)
       select gen_random_uuid(), $1, 76, gen_random_uuid(), '00', $2 from generate_series(1, 5000) returning id`,
      [partner, new Date(now)],
    );
    const record = { attempt: 1, at: now, url: "", durationMs: 1, nextAt: undefined };
    await client.query("begin; set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off");
    await client.query("set local enable_hashjoin = off; set local enable_mergejoin = off");
    const statement = attemptsStatement(added.slice(0, 10).map(({ id }) => ({ ...record, id })));
    const { plan, rows } = await readsOf(client, statement);
    assert.ok(rows > 0 && rows < 100, `${rows} rows: ${plan}`);
    await client.query("rollback");
  });
});

test("due live notifications are found and claimed without a look at 3,000 replays of their partner", async () => {
  const partner = newId();
  await withClient(database.url, async (client) => {
    await client.query(
      `insert into outbox (id, partner, service, aggregate_id, status, created_at, next_attempt_at, state_before_replay)
       select gen_random_uuid(), $1, 76, gen_random_uuid(), '00', $2, $2, 'delivered' from generate_series(1, 3000)`,
      [partner, new Date(now)],
    );
    await client.query("analyze outbox");
    await client.query("begin; set local plan_cache_mode = force_generic_plan");
    const capacities = [{ partner, isReplay: false, capacity: 8, hasAddress: true }];
    for (const statement of [
      claimStatement({ capacities, now, leaseMs: 1_000, besides: [] }),
      dueStatement(now, 8, []),
    ]) {
      const { plan, rows } = await readsOf(client, statement);
      assert.ok(rows < 20, `${rows} rows: ${plan}`);
    }
    await client.query("rollback");
  });
  assert.deepEqual(await claim(partner), []);
});
