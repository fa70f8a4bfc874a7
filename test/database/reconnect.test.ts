/** A node that lost its database looks again before it trusts what answers at the same address. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Client } from "pg";
import { createReadiness } from "../../packages/server/src/compose/readiness.ts";
import { eventually } from "../support/black-box/answers.ts";
import { startAddress } from "../support/database/address.ts";
import { useDatabase } from "../support/database/database.ts";
import { opening, startPlainCore } from "../support/plain-core.ts";
import { startCommitProxy } from "../torture/commit-proxy.ts";

test("a database that may lose commits is not written to after a reconnect, and is again once that is corrected", async () => {
  await using database = await useDatabase();
  const lines: string[] = [];
  await using core = await startPlainCore(database.url, { lines });
  const owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  const name = owner.escapeIdentifier(new URL(database.url).pathname.slice(1));
  const endSessions = () =>
    owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'titian engine' and datname = current_database()",
    );
  try {
    assert.equal((await core.engine.submit(opening("IDR", 5_000))).kind, "effect");

    await owner.query(`alter database ${name} set synchronous_commit = local`);
    await endSessions();
    assert.equal((await core.engine.submit(opening("USD", 1_000))).kind, "overloaded");
    assert.match(lines.join(""), /synchronous_commit is local: an answered commit could be lost/);

    await owner.query(`alter database ${name} set synchronous_commit = remote_write`);
    await owner.query(`alter database ${name} set wal_compression = pglz`);
    assert.equal((await core.engine.submit(opening("SGD", 5_000))).kind, "effect");
    assert.match(lines.join(""), /synchronous_commit is remote_write: a commit may be lost/);
    assert.match(lines.join(""), /wal_compression is pglz: .* use lz4, or off/);
    const found = await owner.query("select currency from accounts order by currency");
    assert.deepEqual(
      found.rows.map((row: { currency: string }) => row.currency),
      ["IDR", "SGD"],
    );
  } finally {
    await owner.end();
  }
});

test("a commit on a wire gone silent is ended beside it, found again by its id, and done once", async () => {
  await using database = await useDatabase();
  const cuts = ["silence" as const];
  await using proxy = await startCommitProxy(database.url, { next: () => cuts.pop(), silenceMs: 60_000 });
  await using core = await startPlainCore(proxy.url);
  assert.equal((await core.engine.submit(opening("IDR", 9_000))).kind, "effect");
  assert.deepEqual([...proxy.made], [["silence", 1]]);
  const { rows } = await core.pool.query<{ count: string }>("select count(*) from accounts");
  assert.equal(rows[0]?.count, "1");
});

test("when the network has lost the engine's session, pooled connections end too, and readiness says so within its second", async () => {
  await using database = await useDatabase();
  await using address = await startAddress(Number(new URL(database.url).port));
  await using core = await startPlainCore(address.urlOf(database.url), { environment: "production" });
  const readiness = createReadiness(core, () => false);
  assert.equal((await readiness()).ready, true);
  await core.pool.query("select 1");
  address.silence();
  const lost = assert.rejects(core.pool.query("select 1"), /Connection terminated/);
  assert.deepEqual([(await readiness()).ready, await lost], [false, undefined]);
  assert.equal((await core.pool.query("select 1")).rowCount, 1);
  await eventually(async () => (await readiness()).ready);
});

test("settings that DATABASE_URL or a pooler replaced are found and rejected; its options are kept", async () => {
  await using database = await useDatabase();
  const withParameter = (name: string, value: string) => {
    const url = new URL(database.url);
    url.searchParams.set(name, value);
    return url.href;
  };
  await assert.rejects(
    startPlainCore(withParameter("statement_timeout", "60000")),
    /statement_timeout is 60000 instead of 3000\. Remove parameters/,
  );
  await using core = await startPlainCore(withParameter("options", "-c lock_timeout=0 -c work_mem=5MB"));
  const { rows } = await core.adminPool.query(
    "select current_setting('lock_timeout') as lock, current_setting('work_mem') as memory",
  );
  assert.deepEqual(rows, [{ lock: "2s", memory: "5MB" }]);
  assert.equal((await core.engine.submit(opening("IDR", 5_000))).kind, "effect");
});

test("a connection whose peer is silent is probed after 30 s", { skip: process.platform !== "linux" }, async () => {
  await using database = await useDatabase();
  await using core = await startPlainCore(database.url);
  await core.adminPool.query("select");
  const { rows } = await core.pool.query<{ port: string }>(
    `select client_port::text as port from pg_stat_activity
      where datname = current_database() and application_name like 'titian %'`,
  );
  const timers = rows.map(({ port }) => keepAliveSeconds(Number(port)));
  assert.ok(timers.length >= 3);
  for (const seconds of timers) assert.ok(seconds !== undefined && seconds <= 30, `probed after ${seconds} s`);
});

/** Seconds to the next probe of this port's connection; undefined: none is planned (proc(5), /proc/net/tcp). */
function keepAliveSeconds(port: number): number | undefined {
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  for (const line of readFileSync("/proc/net/tcp", "utf8").split("\n")) {
    const [, address, , state, , timer] = line.trim().split(/\s+/);
    const [kind, when] = timer?.split(":") ?? [];
    if (address?.endsWith(local) && state === "01" && kind === "02") return Number.parseInt(when ?? "", 16) / 100;
  }
  return undefined;
}
