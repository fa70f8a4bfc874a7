/** Goal: with the store of the example in a real PostgreSQL, an event is handled once by any number of processes. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Pool } from "pg";
import { createPostgresStore, createTable } from "../../examples/receivers/postgres-store.ts";
import { anyKey, deliver, rtgs, sign, testReceiver } from "../../packages/client/test/helpers/provider.ts";
import { useDatabase } from "../support/database/database.ts";
import { endPools } from "../support/database/end-pool.ts";

const database = await useDatabase();
const pools = [1, 2].map(() => new Pool({ connectionString: database.ownerUrl, max: 8 }));
const [pool = assert.fail(), otherPool = assert.fail()] = pools;
await pool.query(createTable);
after(async () => {
  await endPools(...pools);
  await database.drop();
});

test("100 attempts at once under as many external ids, at two receivers: one handler call, and none after a restart", async () => {
  let calls = 0;
  const on = {
    rtgs: () => {
      calls += 1;
    },
  };
  const attempt = (index: number) => sign(rtgs, { externalId: `attempt-${index}` });
  const receivers = pools.map((one) => testReceiver({ on, store: createPostgresStore(one) }).receiver);
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => deliver(receivers[index % 2] ?? assert.fail(), attempt(index))),
  );
  assert.equal(calls, 1);
  const codes = new Set(answers.map(({ responseCode }) => responseCode));
  assert.ok(codes.has("2007600"));
  assert.deepEqual(
    [...codes].filter((code) => code !== "2007600" && code !== "5037600"),
    [],
  );

  const restarted = testReceiver({ on, store: createPostgresStore(otherPool) }).receiver;
  assert.equal((await deliver(restarted, attempt(100))).responseCode, "2007600");
  assert.equal(calls, 1);
});

test("a failed notification is handled again by the next attempt, at another process", async () => {
  const fails = testReceiver({ on: { rtgs: () => Promise.reject(new Error("no")) }, store: createPostgresStore(pool) });
  const delivery = sign({ ...rtgs, originalReferenceNo: "fails-first" });
  assert.equal((await deliver(fails.receiver, delivery)).responseCode, "5007600");
  const { receiver, handled } = testReceiver({ store: createPostgresStore(otherPool) });
  assert.equal((await deliver(receiver, delivery)).responseCode, "2007600");
  assert.equal(handled.length, 1);
});

test("the claim of a process that died ends with its lease, and the dead one takes nothing back", async () => {
  const dead = createPostgresStore(pool);
  const alive = createPostgresStore(otherPool);
  const died = { ...anyKey, number: "died" };
  assert.equal(await dead.claim(died), "new");
  assert.equal(await alive.claim(died), "busy");
  await pool.query("update handled_notifications set claimed_at = claimed_at - interval '1 hour'");
  const claims = await Promise.all([1, 2, 3].map(() => alive.claim(died)));
  assert.deepEqual(claims.toSorted(), ["busy", "busy", "new"]);
  await dead.release(died);
  assert.equal(await dead.claim(died), "busy");
  await alive.complete(died);
  await dead.release(died);
  assert.equal(await dead.claim(died), "done");
});
