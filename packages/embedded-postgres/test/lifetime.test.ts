/** Goal: a server that is durable, single, and gone with its process. Method: real processes, killed. */
import assert from "node:assert/strict";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startEmbeddedPostgres } from "../src/start-embedded-postgres.ts";
import { waitUntil } from "../src/process/wait-until.ts";
import { ends, kill, query, scratchDirectory, small, spawnRunner, startRunner } from "./scratch.ts";

const inside = { ...small, placement: "dataDir" } as const;

/** One cluster for all tests but those of its making: each leaves it stopped, and has a table of its own. */
const dataDir = scratchDirectory();

test("committed rows are there after a stop and a start, at the same address", async () => {
  const first = await startEmbeddedPostgres({ ...inside, dataDir });
  await query(first, "create table kept (id int); insert into kept values (1)");
  await Promise.all([first.stop(), first.stop()]);
  await first.stop();
  assert.ok(await ends(first.pid));

  await using second = await startEmbeddedPostgres({ ...inside, dataDir });
  assert.equal(second.url, first.url);
  assert.deepEqual(await query(second, "select id from kept"), [{ id: 1 }]);
});

test("a data directory that is in use is rejected, naming the process", async () => {
  const { child, pid } = await startRunner(dataDir);
  await assert.rejects(
    startEmbeddedPostgres({ ...inside, dataDir }),
    new RegExp(`is run by process ${child.pid} already`),
  );
  await kill(child);
  assert.ok(await ends(pid));
});

test("a process that starts its server twice is rejected too", async () => {
  await using _first = await startEmbeddedPostgres({ ...inside, dataDir });
  await assert.rejects(startEmbeddedPostgres({ ...inside, dataDir }), new RegExp(`process ${process.pid} already`));
});

test("a process killed outright leaves no server behind", { skip: process.platform !== "linux" }, async () => {
  const { child, pid, url } = await startRunner(dataDir);
  await query({ url }, "create table orphaned (id int); insert into orphaned values (1)");
  await kill(child);
  assert.ok(await ends(pid));

  await using next = await startEmbeddedPostgres({ ...inside, dataDir });
  assert.deepEqual(await query(next, "select id from orphaned"), [{ id: 1 }]);
});

test("a start right after a kill waits for the dying server", async () => {
  const { child, url } = await startRunner(dataDir);
  await query({ url }, "create table dying (id int); insert into dying select generate_series(1, 1000)");
  await kill(child);
  await using next = await startEmbeddedPostgres({ ...inside, dataDir });
  assert.deepEqual(await query(next, "select count(*)::int as marks from dying"), [{ marks: 1000 }]);
});

test("a server killed outright together with its process recovers", async () => {
  const { child, pid, url } = await startRunner(dataDir);
  await query({ url }, "create table recovered (id int); insert into recovered values (1)");
  process.kill(pid, "SIGKILL");
  await kill(child);
  await using next = await startEmbeddedPostgres({ ...inside, dataDir });
  assert.deepEqual(await query(next, "select id from recovered"), [{ id: 1 }]);
});

test("a first start cut short begins again", async () => {
  const newDir = scratchDirectory();
  const child = spawnRunner(newDir);
  const isCreating = () => globSync("postgres/creating-*/data/base", { cwd: newDir }).length > 0 || undefined;
  assert.ok(await waitUntil(isCreating, { timeoutMs: 20_000, everyMs: 5 }));
  await kill(child);
  await using next = await startEmbeddedPostgres({ ...inside, dataDir: newDir });
  assert.deepEqual(await query(next, "select 1 as one"), [{ one: 1 }]);
});

test("a process number that was given again does not stop a start", async () => {
  const first = await startEmbeddedPostgres({ ...inside, dataDir });
  const note = join(dataDir, "postgres", "data", "postmaster.pid");
  const content = readFileSync(note, "utf8");
  await first.stop();
  // As a container leaves it: the number in the note now belongs to a process of the same user that is no server.
  writeFileSync(note, content.replace(/^\d+/, `${process.ppid}`), { mode: 0o600 });
  await using next = await startEmbeddedPostgres({ ...inside, dataDir });
  assert.deepEqual(await query(next, "select 1 as one"), [{ one: 1 }]);
});

test("a port that was taken meanwhile is left to its taker", async () => {
  const first = await startEmbeddedPostgres({ ...inside, dataDir });
  await first.stop();
  const taker = createServer().listen(first.port, "127.0.0.1");
  await once(taker, "listening");
  try {
    await using second = await startEmbeddedPostgres({ ...inside, dataDir });
    assert.notEqual(second.port, first.port);
    assert.deepEqual(await query(second, "select 1 as one"), [{ one: 1 }]);
  } finally {
    taker.close();
  }
});

test("a port that is taken while the server is started again is waited for", {
  skip: process.platform !== "linux",
}, async () => {
  await using postgres = await startEmbeddedPostgres({ ...inside, dataDir });
  const { pid, port } = postgres;
  process.kill(pid, "SIGKILL");
  // Without a turn of the event loop: nothing has heard of its end when the port is taken.
  const isOver = () => /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  for (let isDead = false; !isDead; ) isDead = isOver();
  const taker = createServer().listen(port, "127.0.0.1");
  await once(taker, "listening");
  await sleep(500);
  assert.equal(postgres.pid, pid);
  taker.close();
  const isBack = () => (postgres.pid === pid ? undefined : true);
  assert.ok(await waitUntil(isBack, { timeoutMs: 20_000, everyMs: 5 }));
  assert.deepEqual(await query(postgres, "select 1 as one"), [{ one: 1 }]);
});

test("a server that is told to stop while it is started again stops", async () => {
  const postgres = await startEmbeddedPostgres({ ...inside, dataDir });
  const killed = postgres.pid;
  process.kill(killed, "SIGKILL");
  assert.ok(await ends(killed));
  await postgres.stop();
  assert.ok(await ends(postgres.pid));
  await using next = await startEmbeddedPostgres({ ...inside, dataDir });
  assert.deepEqual(await query(next, "select 1 as one"), [{ one: 1 }]);
});

test("a server that dies is started again, but not for ever", async () => {
  const failure = Promise.withResolvers<Error>();
  const settled = new Set<number>();
  await using postgres = await startEmbeddedPostgres({ ...inside, dataDir, onFailure: failure.resolve });
  const nextPid = () => (settled.has(postgres.pid) ? undefined : postgres.pid);
  for (let crashes = 0; crashes < 6; crashes += 1) {
    const pid = await waitUntil(nextPid, { timeoutMs: 30_000, everyMs: 5 });
    assert.ok(pid !== undefined, `not started again after ${crashes} crashes`);
    settled.add(pid);
    if (crashes === 5) assert.deepEqual(await query(postgres, "select 1 as one"), [{ one: 1 }]);
    process.kill(pid, "SIGKILL");
  }
  assert.match((await failure.promise).message, /died 6 times in a row/);
});
