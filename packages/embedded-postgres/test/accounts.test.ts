/** Goal: it works for root and for anyone else, also where root's server account may not go. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startEmbeddedPostgres } from "../src/start-embedded-postgres.ts";
import { ends, isRoot, kill, query, removeNamedCluster, scratchDirectory, small, startRunner } from "./scratch.ts";

const otherUid = 65_534;
const notRoot = isRoot ? false : "asks for root";

/** True when another user may run this very node and read this very checkout. */
function canOthersRun(): boolean {
  const run = spawnSync(process.execPath, ["--check", import.meta.filename], { uid: otherUid, gid: otherUid });
  return run.status === 0;
}

function homeOf(dataDir: string): string {
  const { home }: { home: string } = JSON.parse(readFileSync(join(dataDir, "postgres.json"), "utf8"));
  return home;
}

test("root's server runs as another account, from a home closed to it", { skip: notRoot }, async () => {
  const closed = scratchDirectory();
  chmodSync(closed, 0o700);
  const dataDir = join(closed, "checkout", ".titian");
  await using postgres = await startEmbeddedPostgres({ ...small, dataDir });
  removeNamedCluster(dataDir);
  assert.match(homeOf(dataDir), /^\/var\/lib\/titian\/[0-9a-f]{16}$/);
  const { uid } = statSync(`/proc/${postgres.pid}`);
  assert.ok(uid >= 50_000 && uid < 59_000, `it runs as ${uid}: an account that others have too`);
  for (const name of ["", "base", "PG_VERSION", "global/pg_control"]) {
    assert.equal(statSync(join(homeOf(dataDir), "data", name)).uid, uid);
  }
  assert.deepEqual(await query(postgres, "select 1 as one"), [{ one: 1 }]);
  assert.equal(statSync(join(dataDir, "postgres.json")).mode & 0o777, 0o600);
});

test("a cluster that root gave to nobody gets an account of its own, with what is in it", {
  skip: notRoot,
}, async () => {
  const dataDir = join(scratchDirectory(), ".titian");
  const before = await startEmbeddedPostgres({ ...small, dataDir });
  removeNamedCluster(dataDir);
  await query(before, "create table mark (id int)");
  await before.stop();
  const cluster = join(homeOf(dataDir), "data");
  assert.equal(spawnSync("chown", ["-R", `${otherUid}:${otherUid}`, cluster]).status, 0);
  // Linked by whoever had the account: it is not the cluster's to give away.
  const linked = join(homeOf(dataDir), "of-root");
  writeFileSync(linked, "");
  linkSync(linked, join(cluster, "linked"));

  await using after = await startEmbeddedPostgres({ ...small, dataDir });
  assert.deepEqual(await query(after, "select * from mark"), []);
  const { uid } = statSync(`/proc/${after.pid}`);
  assert.notEqual(uid, otherUid);
  assert.deepEqual(
    ["", "base", "PG_VERSION", "linked"].map((name) => statSync(join(cluster, name)).uid),
    [uid, uid, uid, 0],
  );
});

test("root's cluster follows its data directory: moved with it, copied never, gone with it", {
  skip: notRoot,
}, async () => {
  const parent = scratchDirectory();
  const dataDir = join(parent, "data");
  const moved = join(parent, "moved");
  const copied = join(parent, "copied");
  const start = (directory: string) => startEmbeddedPostgres({ ...small, dataDir: directory });
  const original = await start(dataDir);
  await query(original, "create table mark (id int)");
  await original.stop();

  renameSync(dataDir, moved);
  const afterMove = await start(moved);
  assert.deepEqual(await query(afterMove, "select * from mark"), []);
  await afterMove.stop();

  cpSync(moved, copied, { recursive: true });
  mkdirSync(dataDir);
  for (const directory of [copied, dataDir]) {
    const fresh = await start(directory);
    removeNamedCluster(directory);
    await assert.rejects(query(fresh, "select * from mark"), /"mark" does not exist/);
    await fresh.stop();
  }

  const home = homeOf(moved);
  rmSync(moved, { recursive: true });
  const anew = await start(moved);
  removeNamedCluster(moved);
  await assert.rejects(query(anew, "select * from mark"), /"mark" does not exist/);
  await anew.stop();
  rmSync(home, { recursive: true });
});

test("a cluster whose temporary data directory is gone is removed with the next one made", {
  skip: notRoot,
}, async () => {
  const parent = scratchDirectory();
  const gone = join(parent, "gone");
  const postgres = await startEmbeddedPostgres({ ...small, dataDir: gone });
  const home = homeOf(gone);
  await postgres.stop();
  rmSync(gone, { recursive: true });

  const next = join(parent, "next");
  await using _other = await startEmbeddedPostgres({ ...small, dataDir: next });
  removeNamedCluster(next);
  assert.ok(!existsSync(home));
});

test("another user's server runs as that user, in its data directory, and root may run it too", {
  skip: notRoot || (canOthersRun() ? false : "others may not read this checkout"),
}, async () => {
  const owned = scratchDirectory();
  chownSync(owned, otherUid, otherUid);
  chmodSync(owned, 0o700);
  const dataDir = join(owned, ".titian");
  const { child, pid, url } = await startRunner(dataDir, { uid: otherUid });
  assert.equal(statSync(`/proc/${pid}`).uid, otherUid);
  await query({ url }, "create table mark (id int)");
  await kill(child);
  assert.ok(await ends(pid));

  const byRoot = await startEmbeddedPostgres({ ...small, dataDir });
  assert.equal(statSync(`/proc/${byRoot.pid}`).uid, otherUid);
  assert.deepEqual(await query(byRoot, "select * from mark"), []);
  await byRoot.stop();
  assert.ok(existsSync(join(dataDir, "postgres", "data")));

  const again = await startRunner(dataDir, { uid: otherUid });
  assert.deepEqual(await query(again, "select * from mark"), []);
  await kill(again.child);
  assert.ok(await ends(again.pid));
});
