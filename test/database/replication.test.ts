/** Goal: nothing is answered that only this server has, although somebody ended the wait for its synchronous standby. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { waitUntil } from "@titian/embedded-postgres";
import { createClock, momentOf } from "../../packages/server/src/basics/clock.ts";
import { confirmedBy } from "../../packages/server/src/compose/replication.ts";
import { claimRows, isUnconfirmedClaim } from "../../packages/server/src/store/postgres/claim-rows.ts";
import { createConfirmations } from "../../packages/server/src/store/postgres/confirmation/confirmations.ts";
import { connectPlain, createAdminPool } from "../../packages/server/src/store/postgres/connect.ts";
import { changeReference } from "../../packages/server/src/store/reference/reference.ts";
import { beginTransaction, openSession } from "../../packages/server/src/store/postgres/session.ts";
import { eventually } from "../support/black-box/answers.ts";
import { useOwnCluster } from "../support/database/database.ts";
import { queryRows, runStatements } from "../support/database/with-client.ts";
import { opening, startPlainCore } from "../support/plain-core.ts";

const cluster = await useOwnCluster();
const limits = { timeoutMs: 10_000, everyMs: 20 };
after(() => cluster.stop());

test("a warning of a statement before the commit is none of the commit", async () => {
  const session = await openSession(cluster.url, "warned");
  // As when transaction ids run out: then every statement that writes is warned of.
  const warned = { name: "warned", text: "do $$ begin raise warning 'vacuum this database'; end $$" };
  const roundTrip = () => Promise.all([beginTransaction(session), session.run(warned), session.commit()]);
  const [, , committed] = await session.roundTrip(roundTrip);
  assert.deepEqual([committed !== undefined, session.isLost()], [true, false]);
  await session.close();
});

test("a commit whose wait for the standby was cancelled, or whose session was ended, is answered when it is there", async () => {
  await using core = await startPlainCore(cluster.url, { environment: "production" });
  await using standby = await pretendStandby();
  for (const [end, currency] of [
    ["pg_cancel_backend", "USD"],
    ["pg_terminate_backend", "SGD"],
  ] as const) {
    await standby.lose();
    const answered = core.engine.submit(opening(currency, 9_000)).then((outcome) => outcome.kind);
    const first = await standby.waiting("titian engine");
    await standby.end(end, first);
    const second = await standby.waiting("titian engine", first);
    assert.ok(second !== first, `after ${end} a new session waits for what the old one committed`);
    assert.equal(await Promise.race([answered, Promise.resolve("not yet")]), "not yet");
    await standby.restore();
    assert.equal(await answered, "effect");
  }
  await standby.lose();
  const restarted = startPlainCore(cluster.url, { environment: "production" });
  await standby.waiting("titian engine");
  await standby.restore();
  await using _restarted = await restarted;
});

test("reads and repeats are answered when what they tell has reached the standby; reads for 2 s at most", async () => {
  await using core = await startPlainCore(cluster.url, { environment: "production" });
  await using standby = await pretendStandby();
  const repeat = () => core.engine.submit(opening("JPY", 9_000)).then((outcome) => outcome.kind);
  const read = () => core.readShares.run("partner", async () => "read");
  assert.deepEqual([await repeat(), await repeat(), await read()], ["effect", "repeat", "read"]);
  assert.doesNotMatch(await core.nodeMetrics.render(), /^titian_confirmation_age_seconds \d/m);
  await standby.lose();
  await waitUntil(() => core.replication?.confirmations.replication?.isSynchronous || undefined, limits);
  const repeated = repeat();
  await standby.waiting("titian engine");
  await assert.rejects(read(), /no commit was confirmed in time/);
  assert.match(await core.nodeMetrics.render(), /^titian_reads_unconfirmed_total 1$/m);
  // A write that gives nothing waits, too.
  await assert.rejects(
    confirmedBy(core.replication)(async () => undefined),
    /no commit was confirmed in time/,
  );
  const late = read();
  await standby.restore();
  assert.deepEqual([await late, await repeated], ["read", "repeat"]);
});

test("a session whose commit waits for the standby in vain leaves no backend behind", async () => {
  await using standby = await pretendStandby();
  const name = "impatient";
  const confirmations = await createConfirmations({
    open: (watch) => openSession(cluster.url, name, { watch, responseMs: 500 }),
    clock: createClock(),
    onServerLost: () => undefined,
    onUnconfirmed: () => undefined,
  });
  const confirm = () => confirmations.confirmed(async () => "read");
  await standby.lose();
  const asked = setInterval(() => void confirm().catch(() => undefined), 100);
  confirmations.learn({ ...(confirmations.replication ?? assert.fail()), isSynchronous: true });
  let [most, pid] = [0, 0];
  try {
    for (let sessions = 0; sessions < 4; sessions += 1) {
      pid = await standby.waiting(name, pid);
      most = Math.max(most, await standby.count(name));
    }
    await standby.waiting(name);
  } finally {
    clearInterval(asked);
    await confirmations.close();
  }
  assert.deepEqual([most, await standby.count(name)], [1, 0]);
});

test("a read is not given when the server changed under it, also where the first one is back", async () => {
  const confirmations = await createConfirmations({
    open: (watch) => openSession(cluster.url, "changing", { watch }),
    clock: createClock(),
    onServerLost: () => undefined,
    onUnconfirmed: () => undefined,
  });
  const { server } = confirmations.replication ?? assert.fail();
  const read = confirmations.confirmed(async () => {
    for (const name of ["another", server]) confirmations.watch.opened(name);
    return "read";
  });
  await assert.rejects(read, /another server answers/);
  await confirmations.close();
});

test("a service that requires a synchronous standby does not start without one", async () => {
  const started = startPlainCore(cluster.url, { environment: "production", env: { TITIAN_SYNCHRONOUS: "required" } });
  await assert.rejects(started, /TITIAN_SYNCHRONOUS is required, and commits wait for no standby/);
});

test("a change of partners whose wait for the standby was cancelled fails, and is to be repeated", async () => {
  await using core = await startPlainCore(cluster.url);
  await using standby = await pretendStandby();
  await standby.lose();
  const rejected = assert.rejects(
    changeReference(core.adminPool, async () => undefined),
    /did not confirm the change/,
  );
  await standby.end("pg_cancel_backend", await standby.waiting("titian administration"));
  await rejected;
});

test("a claim is confirmed unless PostgreSQL warned behind it, whatever the server's synchronous_commit has become", async () => {
  await runStatements(cluster.ownerUrl, [
    `create function warned() returns json language plpgsql as $$ begin raise warning 'vacuum'; return '0'; end $$`,
  ]);
  // One connection: what ends the wait of a claim has none of the pool.
  const pool = createAdminPool(cluster.url, 1);
  const claim = (value: string) => {
    const text = `insert into service_state values ('claim', ${value}) on conflict (name) do update set value = '1' returning name`;
    return claimRows(pool, { name: `claim ${value}`, text }, momentOf(createClock()));
  };
  const isConfirmed = ({ commit }: Awaited<ReturnType<typeof claim>>) => commit !== undefined;
  assert.ok(isConfirmed(await claim("warned()")));
  const nothing = { name: "nothing", text: "select 1 where false" };
  assert.equal(isConfirmed(await claimRows(pool, nothing, momentOf(createClock()))), false);
  await using standby = await pretendStandby();
  await standby.lose();
  const weaken = "alter system set synchronous_commit = 'local'";
  await runStatements(cluster.ownerUrl, [weaken, "select pg_reload_conf()"]);
  const claimed = claim("'0'");
  await standby.end("pg_cancel_backend", await standby.waiting("titian administration"));
  const { rows, commit } = await claimed;
  assert.deepEqual([rows, commit], [[["claim"]], undefined]);
  // Nobody ends this wait: the session does not go on waiting, with its rows locked, for as long as the standby is away.
  const isTimeout = (error: Error) => /Query read timeout/.test(error.message);
  await assert.rejects(claim("'0'"), (error: Error) => isTimeout(error) && isUnconfirmedClaim(error));
  const left =
    "select from pg_stat_activity where application_name = 'titian administration' and wait_event = 'SyncRep'";
  assert.deepEqual(await queryRows(cluster.ownerUrl, left), []);
  const ended = assert.rejects(claim("'0'"), isUnconfirmedClaim);
  await standby.end("pg_terminate_backend", await standby.waiting("titian administration"));
  await ended;
  const failing = claimRows(pool, { name: "failing", text: "select 1 / 0" }, momentOf(createClock()));
  await assert.rejects(failing, (error: Error) => !isUnconfirmedClaim(error));
  await runStatements(cluster.ownerUrl, ["alter system reset synchronous_commit", "select pg_reload_conf()"]);
  await standby.restore();
  assert.ok(isConfirmed(await claim("'0'")));
  await pool.end();
});

/** A synchronous standby that is lost, and never was there: every commit waits for it. */
async function pretendStandby() {
  const connect = (name: string) => connectPlain({ connectionString: cluster.ownerUrl, application_name: name });
  const [owner, probe] = await Promise.all([connect("owner"), connect("probe")]);
  const set = async (names: string) => {
    await owner.query(`alter system set synchronous_standby_names = '${names}'`);
    await owner.query("select pg_reload_conf()");
  };
  const find = async (name: string, besides: number) => {
    const text =
      "select pid from pg_stat_activity where application_name = $1 and wait_event = 'SyncRep' and pid <> $2";
    return (await owner.query<{ pid: number }>(text, [name, besides])).rows[0]?.pid;
  };
  /** The process id of a commit of that name which waits for the standby. */
  const waiting = (name: string, besides = 0) => eventually(() => find(name, besides), 20);
  const count = async (name: string) => {
    const text = "select from pg_stat_activity where application_name = $1 and wait_event = 'SyncRep'";
    return (await owner.query(text, [name])).rowCount ?? 0;
  };
  let probed: Promise<void> | undefined;
  /** The setting is in force when a commit waits; PostgreSQL takes a moment to hear of it. */
  const lose = async () => {
    await set("nobody_there");
    for (let isWaiting = false; !isWaiting; ) {
      let isThrough = false;
      probed = probe.query("insert into service_state values (gen_random_uuid()::text, '0')").then(() => {
        isThrough = true;
      });
      while (!isThrough && !isWaiting) isWaiting = (await find("probe", 0)) !== undefined;
    }
  };
  return {
    lose,
    waiting,
    count,
    restore: () => set(""),
    end: (by: string, pid: number) => owner.query(`select ${by}($1)`, [pid]),
    [Symbol.asyncDispose]: async () => {
      await set("");
      await probed;
      await Promise.all([owner.end(), probe.end()]);
    },
  };
}
