/** Goal: nothing is answered that only this server has, although somebody ended the wait for its synchronous standby. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { beginTransaction, openSession } from "../src/store/session.ts";
import { useOwnCluster } from "./support/database.ts";
import { opening, startPlainCore } from "./support/plain-core.ts";

const cluster = await useOwnCluster();
after(() => cluster.stop());

test("a warning of a statement before the commit is none of the commit", async () => {
  const session = await openSession(cluster.url, "warned");
  // As when transaction ids run out: then every statement that writes is warned of.
  const warned = { name: "warned", text: "do $$ begin raise warning 'vacuum this database'; end $$" };
  const trip = () => Promise.all([beginTransaction(session), session.run(warned), session.commit()]);
  const [, , committed] = await session.trip(trip);
  assert.deepEqual([committed, session.isLost()], [true, false]);
  await session.close();
});

test("a commit whose wait for the standby was cancelled, or whose session was ended, is answered when it is there", async () => {
  await using core = await startPlainCore(cluster.url);
  const owner = new Client({ connectionString: cluster.url });
  await owner.connect();
  /** A standby that never comes: each commit waits for it. */
  const waitForStandby = async (names: string) => {
    await owner.query(`alter system set synchronous_standby_names = '${names}'`);
    await owner.query("select pg_reload_conf()");
  };
  const findWaiting = async (besides = 0): Promise<number | undefined> => {
    const text = `select pid from pg_stat_activity
      where application_name = 'titian engine' and wait_event = 'SyncRep' and pid <> $1`;
    for (let round = 0; round < 400; round += 1) {
      const { rows } = await owner.query<{ pid: number }>(text, [besides]);
      if (rows[0]) return rows[0].pid;
      await sleep(20);
    }
    return undefined;
  };
  try {
    for (const [end, currency] of [
      ["pg_cancel_backend", "USD"],
      ["pg_terminate_backend", "SGD"],
    ] as const) {
      await waitForStandby("nobody_there");
      const answered = core.engine.submit(opening(currency, 9_000)).then((outcome) => outcome.kind);
      const first = await findWaiting();
      assert.ok(first !== undefined, "a commit waits for the standby");
      await owner.query(`select ${end}($1)`, [first]);
      const second = await findWaiting(first);
      assert.ok(second !== undefined, `after ${end} a new session waits for what the old one committed`);
      assert.equal(await Promise.race([answered, Promise.resolve("not yet")]), "not yet");
      await waitForStandby("");
      assert.equal(await answered, "effect");
    }
  } finally {
    await owner.end();
  }
});
