/** Goal: what an operator can put right is told as "not now" (503), once in the log, and where it keeps a node from serving on `/health/ready`. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Core } from "../../packages/server/src/compose/core.ts";
import { createReadiness } from "../../packages/server/src/compose/readiness.ts";
import { useDatabase } from "../support/database/database.ts";
import { opening, startPlainCore } from "../support/plain-core.ts";

const database = await useDatabase();
const owner = new Client({ connectionString: database.ownerUrl });
await owner.connect();
after(async () => {
  await owner.end();
  await database.drop();
});

const raise = (code: string) =>
  owner.query(`create or replace function raise_fault() returns trigger language plpgsql as
    $$ begin raise exception 'made by the test' using errcode = '${code}'; end $$;
    create or replace trigger fault before insert on accounts for each statement execute function raise_fault()`);
const relieve = () => owner.query("drop trigger if exists fault on accounts");

/** As many commands at once, each of a currency of its own. */
async function openAccounts({ engine }: Core, first: string, timeoutMs = 9_000): Promise<readonly string[]> {
  const currencies = Array.from({ length: 20 }, (_, index) => `${first}${String.fromCharCode(65 + index)}`);
  const outcomes = await Promise.all(currencies.map((currency) => engine.submit(opening(currency, timeoutMs))));
  return [...new Set(outcomes.map(({ kind }) => kind))];
}

async function readinessOf(core: Core) {
  const { ready, checks } = await createReadiness(core, () => false)();
  const { unavailable, lockedTable } = checks["database"] as { unavailable: unknown; lockedTable: unknown };
  return { ready, unavailable, lockedTable };
}

const eventsIn = (lines: readonly string[]) => lines.map((line) => (JSON.parse(line) as { event: string }).event);

test("no disk space: all is given back, one line says why, and the node is not ready until a commit goes through", async () => {
  const lines: string[] = [];
  await using core = await startPlainCore(database.url, { lines, environment: "production" });
  for (const code of ["53100", "58030"]) {
    await raise(code);
    assert.deepEqual(await openAccounts(core, "X"), ["unavailable"]);
    const { ready, unavailable } = await readinessOf(core);
    assert.deepEqual([ready, unavailable], [false, `${code} made by the test`]);
    await relieve();
    assert.deepEqual(await openAccounts(core, code === "53100" ? "A" : "B"), ["effect"]);
    assert.equal((await readinessOf(core)).ready, true);
  }
  assert.deepEqual(eventsIn(lines), ["database.unavailable"]);
  assert.match(await core.nodeMetrics.render(), /^titian_database_unavailable_total 40$/m);
});

test("a missing right, a cancelled statement, a damaged page: given back one by one, and the node serves on", async () => {
  const lines: string[] = [];
  await using core = await startPlainCore(database.url, { lines, environment: "production" });
  for (const code of ["42501", "57014", "XX001"]) {
    await raise(code);
    assert.equal((await core.engine.submit(opening("XXX", 9_000))).kind, "unavailable");
    assert.equal((await readinessOf(core)).ready, true);
  }
  await relieve();
  assert.deepEqual(
    eventsIn(lines).filter((event) => event !== "commit.failed"),
    ["database.unavailable"],
  );
  await raise("22012");
  assert.equal((await core.engine.submit(opening("XXX", 9_000))).kind, "failed");
  await relieve();
});

test("a locked table: commands wait for it, and log and readiness name the session that has it", async () => {
  const lines: string[] = [];
  await using core = await startPlainCore(database.url, { lines, environment: "production" });
  for (const table of ["accounts", "accepted_requests"]) {
    await owner.query(`begin; lock table ${table} in access exclusive mode`);
    const told = await openAccounts(core, "Y", 1_500);
    // A commit that waits for the second table may have been sent when the time is over.
    assert.ok(
      told.every((kind) => kind === "overloaded" || (table !== "accounts" && kind === "unknown")),
      told.join(),
    );
    const { ready, lockedTable } = await readinessOf(core);
    const { rows } = await owner.query<{ pid: number; user: string }>("select pg_backend_pid() as pid, user");
    const { pid: processId, user } = rows[0] ?? assert.fail();
    const { since, ...named } = lockedTable as { since: string };
    assert.deepEqual([ready, named], [false, { table, processId, user }]);
    assert.ok(Math.abs(Date.parse(since) - Date.now()) < 60_000);
    const line = lines.find((one) => one.includes("database.table_locked")) ?? "";
    assert.match(line, new RegExp(`"processId":${processId},"table":"accounts","user":"${user}","since":"`));
    await owner.query("rollback");
    assert.deepEqual(await openAccounts(core, table === "accounts" ? "C" : "D"), ["effect"]);
    assert.equal((await readinessOf(core)).ready, true);
  }
});

test("a table that commands do not write is locked while a key waits: the others are answered, and nobody is blamed", async () => {
  const lines: string[] = [];
  await using core = await startPlainCore(database.url, { lines, environment: "production" });
  const holder = new Client({ connectionString: database.ownerUrl });
  await holder.connect();
  try {
    await owner.query("begin; lock table migrations in exclusive mode");
    await holder.query(`begin; insert into accounts (id, account_no, name, currency, purpose, type, status, opened_at)
      values (gen_random_uuid(), 'funding:EA', '', 'EA', 'funding', 'D', 'active', now())`);
    const currencies = Array.from({ length: 20 }, (_, index) => `E${String.fromCharCode(65 + index)}`);
    const outcomes = await Promise.all(currencies.map((currency) => core.engine.submit(opening(currency, 6_000))));
    assert.equal(outcomes.filter(({ kind }) => kind === "effect").length, 19);
    assert.equal((await readinessOf(core)).ready, true);
    assert.ok(!eventsIn(lines).includes("database.table_locked"));
  } finally {
    await owner.query("rollback");
    await holder.end();
  }
});

test("reads for which no connection is free, or that PostgreSQL cannot carry out, are given back", async () => {
  await using core = await startPlainCore(database.url, { environment: "production" });
  const read = (text: string) => core.readShares.run("partner", () => core.pool.query(text));
  const clients = await Promise.all(Array.from({ length: 10 }, () => core.pool.connect()));
  assert.equal(await read("select 1"), undefined);
  for (const client of clients) client.release();
  assert.equal((await read("select 1"))?.rowCount, 1);
  assert.equal(await read("select pg_sleep(4)"), undefined);
  await sleep(0);
  await assert.rejects(read("select 1 / 0"), /division by zero/);
});
