/** Replays against claims and attempts that are under way: the newest replay counts, whatever ends when (spec D14). */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createClock, momentOf } from "../../packages/server/src/basics/clock.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import {
  claimDeliveries,
  type ClaimedNotification,
  recordAttempts,
  releaseDeliveries,
} from "../../packages/server/src/store/tables/notifications/deliveries.ts";
import { replayDeliveries } from "../../packages/server/src/store/tables/notifications/replays.ts";
import { eventually } from "../support/black-box/answers.ts";
import { useJobDatabase } from "../support/database/job-database.ts";

const { pool, client, drop } = await useJobDatabase();
after(drop);

const now = Date.UTC(2026, 10, 25, 3);
const [urlA, urlB] = ["https://a.example", "https://b.example"];
type State = "delivered" | "dead" | "kept" | "waiting";

/** One of a partner's own. */
async function add(state: State) {
  const [id, partner] = [newId(), newId()];
  await client.query(
    `insert into outbox (id, partner, service, aggregate_id, status, created_at, state, delivered_at)
     values ($1, $2, 76, $3, '00', $4, $5, $6)`,
    [id, partner, newId(), new Date(now), state, state === "delivered" ? new Date(now) : null],
  );
  const replay = (url?: string) => replayDeliveries(pool, { partner, dead: false, url, now });
  const claim = async (at = now): Promise<ClaimedNotification | undefined> => {
    const capacities = [false, true].map((isReplay) => ({ partner, isReplay, capacity: 8, hasAddress: true }));
    const terms = { capacities, now: at, at: momentOf(createClock()), leaseMs: 60_000, besides: [] };
    return (await claimDeliveries(pool, terms)).rows[0];
  };
  const claimed = async (at = now) => (await claim(at)) ?? assert.fail("nothing is due");
  const rowOf = async () => {
    const { rows } = await client.query<{ state: State; delivered_at: Date | null; due: boolean; attempts: string[] }>(
      `select state, delivered_at, coalesce(next_attempt_at <= $2, true) as due,
         array(select url from delivery_attempts where outbox_id = $1 order by attempt) as attempts from outbox where id = $1`,
      [id, new Date(now)],
    );
    return rows[0] ?? assert.fail();
  };
  return { partner, replay, claim, claimed, rowOf };
}

/** Until a statement on this database waits for a lock. */
async function untilLocked(): Promise<void> {
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await eventually(async () => (await client.query(waiting)).rowCount !== 0, 20);
}

const ended = (notification: ClaimedNotification, failure?: string) => ({
  id: notification.id,
  attempt: notification.attempt,
  url: notification.replayUrl ?? "own",
  durationMs: 1,
  at: now,
  nextAt: failure !== undefined && notification.replayUrl === undefined ? now + 10_000 : undefined,
  failure,
});

for (const state of ["delivered", "dead", "kept"] as const) {
  test(`${state}: an attempt before a newer replay fails, and the newer one is still due; its own failure leaves ${state}`, async () => {
    const one = await add(state);
    assert.equal(await one.replay(urlA), 1);
    const first = await one.claimed();
    assert.equal(await one.replay(urlB), 1);
    await recordAttempts(pool, [ended(first, "HTTP 500")]);
    await releaseDeliveries(pool, [first], "now");
    assert.deepEqual([(await one.rowOf()).state, (await one.rowOf()).due], ["waiting", true]);
    const second = await one.claimed();
    assert.deepEqual([second.replayUrl, second.attempt, second.attemptOfSeries], [urlB, 2, 1]);
    await recordAttempts(pool, [ended(second, "HTTP 500")]);
    const { attempts, ...row } = await one.rowOf();
    assert.deepEqual([row.state, row.delivered_at !== null, attempts], [state, state === "delivered", [urlA, urlB]]);
  });
}

test("an attempt before a newer replay is accepted: that counts, and the newer one is sent all the same", async () => {
  const one = await add("dead");
  await one.replay(urlA);
  const first = await one.claimed();
  await one.replay();
  await recordAttempts(pool, [ended(first)]);
  const { state, due, delivered_at: deliveredAt } = await one.rowOf();
  assert.deepEqual([state, due, deliveredAt?.getTime()], ["waiting", true, now]);
  const second = await one.claimed();
  assert.equal(second.replayUrl, undefined);
  await one.replay(urlB);
  const third = await one.claimed();
  // Both end in one batch, the older one last.
  await recordAttempts(pool, [ended(third, "HTTP 500"), ended(second, "HTTP 500")]);
  assert.deepEqual((await one.rowOf()).state, "delivered");
  assert.equal((await one.rowOf()).attempts.length, 3);
});

test("one on its first way is left alone, also by a replay to another address", async () => {
  const one = await add("waiting");
  assert.deepEqual([await one.replay(urlA), await one.replay()], [0, 0]);
  const first = await one.claimed();
  assert.equal(first.replayUrl, undefined);
  await recordAttempts(pool, [ended(first, "HTTP 500")]);
  assert.equal(await one.replay(urlA), 0);
  assert.equal((await one.rowOf()).state, "waiting");
});

test("a replay waits for a claim's transaction, and a claim does not wait for a replay's", async () => {
  const one = await add("delivered");
  await one.replay(urlA);
  await client.query("begin");
  await client.query(`update outbox set attempt_count = attempt_count + 1, next_attempt_at = $2 where partner = $1`, [
    one.partner,
    new Date(now + 60_000),
  ]);
  const replaying = one.replay(urlB);
  await untilLocked();
  await client.query("commit");
  assert.equal(await replaying, 1);
  const second = await one.claimed();
  assert.deepEqual([second.replayUrl, second.attempt, second.attemptOfSeries], [urlB, 2, 1]);
  await client.query("begin");
  await client.query("select from outbox where partner = $1 for update", [one.partner]);
  assert.equal(await one.claim(), undefined);
  await client.query("rollback");
});

test("replays, claims and attempts all at once: the last replay is sent, and nothing stays behind", async () => {
  const one = await add("delivered");
  const urls = Array.from({ length: 60 }, (_, index) => `https://${index}.example`);
  let isOver = false;
  const node = async (name: number) => {
    for (let round = name; ; round += 1) {
      const wasOver = isOver;
      const notification = await one.claim();
      if (!notification && wasOver) return;
      if (notification) await recordAttempts(pool, [ended(notification, round % 3 === 0 ? undefined : "HTTP 500")]);
    }
  };
  const replayAll = async () => {
    for (const url of urls) await one.replay(url);
    isOver = true;
  };
  await Promise.all([replayAll(), node(0), node(1), node(2)]);
  const { state, attempts } = await one.rowOf();
  assert.equal(state, "delivered");
  assert.equal(attempts.at(-1), urls.at(-1));
  assert.equal(new Set(attempts).size, attempts.length, "one replay to another address was sent twice");
});

test("a result is replayed while its return is claimed: one of both comes too late, so that the return never goes first", async () => {
  const size = 300;
  const decided = { claimed: 0, replayed: 0 };
  for (let round = 0; round < 12; round += 1) {
    const partner = newId();
    await client.query(
      `insert into outbox (id, partner, service, aggregate_id, status, created_at, state)
       select gen_random_uuid(), $1, 76, subject, status, $2, case status when '00' then 'dead' else 'waiting' end
       from (select gen_random_uuid() as subject from generate_series(1, $3::int)) subjects, unnest(array['00', '04']) status`,
      [partner, new Date(now), size],
    );
    const capacities = [{ partner, isReplay: false, capacity: size, hasAddress: true }];
    const terms = { capacities, now, at: momentOf(createClock()), leaseMs: 60_000, besides: [] };
    const replaying = replayDeliveries(pool, { partner, dead: true, now });
    await sleep(round);
    const [claimed, replayed] = await Promise.all([claimDeliveries(pool, terms), replaying]);
    decided.claimed += claimed.rows.filter(({ status }) => status === "04").length;
    decided.replayed += replayed;
    const overtaken = await client.query(
      `select from outbox result join outbox returned using (aggregate_id) where result.partner = $1
       and result.status = '00' and result.state = 'waiting' and returned.status = '04' and returned.attempt_count > 0`,
      [partner],
    );
    assert.equal(overtaken.rowCount, 0, `round ${round}: so many returns were claimed before their replayed results`);
  }
  assert.ok(decided.claimed > 0 && decided.replayed > 0, JSON.stringify(decided));
});

test("a late success of an attempt before a replay elsewhere counts as that attempt's, and never as the replay's", async () => {
  for (const [failure, state] of [
    [undefined, "delivered"],
    ["HTTP 500", "delivered"],
  ] as const) {
    const one = await add("waiting");
    const slow = await one.claimed();
    const last = await one.claimed(now + 60_000);
    await recordAttempts(pool, [{ ...ended(last, "HTTP 500"), nextAt: undefined }]);
    await one.replay(urlA);
    const elsewhere = await one.claimed();
    await recordAttempts(pool, [ended(slow)]);
    assert.deepEqual([(await one.rowOf()).state, (await one.rowOf()).attempts], ["waiting", ["own", "own"]]);
    await recordAttempts(pool, [ended(elsewhere, failure)]);
    assert.deepEqual([(await one.rowOf()).state, (await one.rowOf()).attempts], [state, ["own", "own", urlA]]);
  }
});
