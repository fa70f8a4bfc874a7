/** Goal: one directory a rail, tied to one database: a second one would get what the first one has. */
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { createClock } from "../../../packages/server/src/clock.ts";
import { railRecords, releaseDirectory } from "../../../packages/server/src/compose/rail-records.ts";
import { createLog } from "../../../packages/server/src/observability/log.ts";
import { createFileRail } from "../../../packages/rail-files/src/file-rail.ts";
import { isAlive, startOf } from "@titian/embedded-postgres";
import { createAdminPool } from "../../../packages/server/src/store/postgres/connect.ts";
import { masterKeys } from "../../support/administration.ts";
import { useDatabase } from "../../support/database/database.ts";
import { createRailFixture } from "../../support/rail-fixture.ts";
import { runCli } from "../../support/cli/run-cli.ts";
import { scratchDirectory } from "./file-side.ts";
import { instructionTo, timeout } from "../contract/other-side.ts";
import { confirmed } from "../../support/confirmed-commit.ts";

const log = createLog({ level: "silent" });

/** A database that rails are opened on. */
async function fixture(url: string) {
  const pool = createAdminPool(url, 2);
  after(() => pool.end());
  const pools = { pool, adminPool: pool };
  const open = async (directory: string) => {
    const records = railRecords(pools, "skn");
    return createFileRail({
      name: "skn",
      directory,
      processes: { isAlive, startOf },
      log,
      clock: createClock(),
      records,
    });
  };
  return { pools, open };
}

const database = await useDatabase();
after(() => database.drop());

test("a rail keeps its directory: another one, a new one or another database's is rejected at the start, and says why", async () => {
  const { pools, open } = await fixture(database.url);
  const tried = [scratchDirectory(), scratchDirectory()] as const;
  // Two at once: one of them is the rail's.
  const opened = await Promise.allSettled(tried.map(open));
  const rejected = opened.find((one) => one.status === "rejected") ?? assert.fail("both were opened");
  assert.match(String(rejected.reason), /is another one, and two directories pay twice/);
  const [own, other] = opened[0]?.status === "fulfilled" ? tried : ([tried[1], tried[0]] as const);
  const rail = opened.find((one) => one.status === "fulfilled")?.value ?? assert.fail("none was opened");
  await rail.submit(instructionTo("1"), timeout(), confirmed);
  await rail.close();
  await assert.rejects(open(scratchDirectory()), /titian rails release-directory skn/);
  await (await open(own)).close();

  const elsewhere = await useDatabase();
  after(() => elsewhere.drop());
  await assert.rejects((await fixture(elsewhere.url)).open(own), /has instructions of another database/);

  assert.equal(await releaseDirectory(pools, "skn"), 0);
  await assert.rejects(open(own), /has instructions of another database/);
  await (await open(other)).close();
  await assert.rejects(open(own), /is another one/);
  assert.deepEqual(Object.keys(JSON.parse(readFileSync(join(other, "rail.json"), "utf8"))), ["rail", "id"]);
  rmSync(join(other, "rail.json"));
  await assert.rejects(open(other), /is another one/);
});

test("a directory that may hold open transfers is not released", async () => {
  await using transfers = await createRailFixture();
  const { pools } = await fixture(transfers.url);
  assert.equal(await releaseDirectory(pools, "interbank"), 1);
  assert.equal(await releaseDirectory(pools, "skn"), 0);
  const env = { DATABASE_URL: transfers.url, TITIAN_MASTER_KEY: masterKeys.current.toString("base64") };
  const { exitCode, stderr } = await runCli(["rails", "release-directory", "interbank", "--yes"], { env });
  assert.equal(exitCode, 1, stderr);
  assert.match(stderr, /1 pending transfers may be in its directory/);
});
