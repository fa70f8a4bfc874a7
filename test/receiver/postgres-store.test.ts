/** Goal: with the store of the example in a real PostgreSQL, a notification is handled once by any number of processes. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Pool } from "pg";
import { createPostgresStore, createTable } from "../../examples/receivers/postgres-store.ts";
import { deliver, rtgs, sign, testReceiver } from "../../packages/client/test/helpers/provider.ts";
import { useDatabase } from "../support/database/database.ts";

const database = await useDatabase();
const pools = [1, 2].map(() => new Pool({ connectionString: database.url, max: 8 }));
const [pool = assert.fail(), otherPool = assert.fail()] = pools;
await pool.query(createTable);
after(async () => {
  for (const one of pools) await one.end();
  await database.drop();
});

const key = (externalId: string) => ({ externalId, bodyHash: "0".repeat(64) });

test("100 copies at once, at two receivers: one handler call; after a restart the copies are still known", async () => {
  let calls = 0;
  const on = {
    rtgs: () => {
      calls += 1;
    },
  };
  const receivers = pools.map((one) => testReceiver({ on, store: createPostgresStore(one) }).receiver);
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, copy) => deliver(receivers[copy % 2] ?? assert.fail(), sign(rtgs))),
  );
  assert.equal(calls, 1);
  const codes = new Set(answers.map(({ responseCode }) => responseCode));
  assert.ok(codes.has("2007600"));
  assert.deepEqual(
    [...codes].filter((code) => code !== "2007600" && code !== "5037600"),
    [],
  );

  const restarted = testReceiver({ on, store: createPostgresStore(otherPool) }).receiver;
  assert.equal((await deliver(restarted, sign(rtgs))).responseCode, "2007600");
  assert.equal(calls, 1);
});

test("a failed notification is handled again by the next attempt, at another process", async () => {
  const fails = testReceiver({ on: { rtgs: () => Promise.reject(new Error("no")) }, store: createPostgresStore(pool) });
  const delivery = sign(rtgs, { externalId: "fails-first" });
  assert.equal((await deliver(fails.receiver, delivery)).responseCode, "5007600");
  const { receiver, handled } = testReceiver({ store: createPostgresStore(otherPool) });
  assert.equal((await deliver(receiver, delivery)).responseCode, "2007600");
  assert.equal(handled.length, 1);
});

test("the claim of a process that died ends with its lease, and the dead one takes nothing back", async () => {
  const dead = createPostgresStore(pool);
  const alive = createPostgresStore(otherPool);
  assert.equal(await dead.begin(key("died")), "new");
  assert.equal(await alive.begin(key("died")), "busy");
  await pool.query("update received_notifications set claimed_at = claimed_at - interval '1 hour'");
  const claims = await Promise.all([1, 2, 3].map(() => alive.begin(key("died"))));
  assert.deepEqual(claims.toSorted(), ["busy", "busy", "new"]);
  await dead.failed(key("died"));
  assert.equal(await dead.begin(key("died")), "busy");
  await alive.done(key("died"));
  await dead.failed(key("died"));
  assert.equal(await dead.begin(key("died")), "done");
});
