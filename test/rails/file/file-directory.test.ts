/** Goal: a directory that is not the database's stops its rail, which says why: nothing is exported a second time. */
import assert from "node:assert/strict";
import { appendFileSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { releaseDirectory } from "../../../packages/server/src/compose/rails/rail-records.ts";
import { type Rail, RailDown } from "../../../packages/server/src/rails/rail.ts";
import { createAdminPool } from "../../../packages/server/src/store/postgres/connect.ts";
import { masterKeys } from "../../support/administration.ts";
import { eventually } from "../../support/black-box/answers.ts";
import { confirmed } from "../../support/confirmed-commit.ts";
import { useDatabase } from "../../support/database/database.ts";
import { createRailFixture } from "../../support/rail-fixture.ts";
import { runCli } from "../../support/cli/run-cli.ts";
import { openFileRail } from "../contract/open-rail.ts";
import { instructionTo, kindOf, timeout } from "../contract/other-side.ts";
import { instructionsIn, scratchDirectory, tell } from "./file-side.ts";

const account = "1000000001";
const cli = (url: string, ...args: readonly string[]) =>
  runCli(args, { env: { DATABASE_URL: url, TITIAN_MASTER_KEY: masterKeys.current.toString("base64") } });

async function fixture() {
  const database = await useDatabase();
  after(() => database.drop());
  const directory = scratchDirectory();
  const lines: string[] = [];
  const open = async (where = directory, url = database.url) => {
    const opened = await openFileRail({ name: "skn", directory: where, url }, { lines });
    after(() => opened.close());
    return opened;
  };
  const rail = await open();
  const [one, two] = [instructionTo(account), instructionTo(account)];
  for (const instruction of [one, two]) await rail.submit(instruction, timeout(), confirmed);
  await rail.close();
  return { database, directory, lines, open, one, two };
}

/** Not that nothing of it was sent: the directory may have the line of a payment that the database has forgotten. */
const isOpen = (error: unknown) => error instanceof Error && !(error instanceof RailDown);

/** It hands nothing over, reports nothing, and has logged why. */
async function assertStopped(rail: Rail, lines: readonly string[], why: RegExp): Promise<void> {
  await assert.rejects(rail.submit(instructionTo(account), timeout(), confirmed), isOpen);
  await assert.rejects(rail.results(10), RailDown);
  const stops = lines.filter((line) => line.includes('"event":"rail.export_stopped"'));
  assert.equal(stops.length, 1);
  assert.match(stops[0] ?? "", why);
}

test("an empty, an older and another service's directory: the rail stops, and goes on with its own", async () => {
  const { directory, lines, open, one, two } = await fixture();
  const empty = scratchDirectory();
  let rail = await open(empty);
  await assertStopped(
    rail,
    lines.splice(0),
    new RegExp(`behind: 2 instructions without their line.*${one.referenceNo}`),
  );
  // Instructions of the database are known, whatever the directory lacks.
  assert.equal(kindOf(await rail.submit(one, timeout(), confirmed)), "pending");
  assert.deepEqual(instructionsIn(empty), []);
  await rail.close();

  const older = scratchDirectory();
  mkdirSync(join(older, "results"));
  const [file = ""] = readdirSync(directory).filter((name) => name.startsWith("instructions-"));
  const text = readFileSync(join(directory, file), "utf8");
  writeFileSync(join(older, file), text.slice(0, text.indexOf("\n") + 1));
  lines.splice(0);
  rail = await open(older);
  await assertStopped(
    rail,
    lines.splice(0),
    new RegExp(`behind: 1 instructions without their line.*${two.referenceNo}`),
  );
  // Its own is given back while it runs.
  copyFileSync(join(directory, file), join(older, file));
  await eventually(() => rail.submit(instructionTo(account), timeout(), confirmed).catch(() => undefined));
  assert.equal(instructionsIn(older).length, 3);
  await rail.close();

  const elsewhere = await fixture();
  const swapped = await elsewhere.open(directory);
  await assertStopped(swapped, elsewhere.lines, /foreign: 2 lines of another ledger/);
  assert.equal(readdirSync(directory).filter((name) => name.startsWith("instructions-")).length, 1);
  await swapped.close();
});

test("torn lines and lines that cannot be read are named and stop nothing; a changed line stops the rail", async () => {
  const { directory, lines, open, one } = await fixture();
  const [file = ""] = readdirSync(directory).filter((name) => name.startsWith("instructions-"));
  appendFileSync(join(directory, file), '[]\nnonsense\n{"referenceNo":"torn');
  lines.splice(0);
  let rail = await open();
  assert.equal(kindOf(await rail.submit(instructionTo(account), timeout(), confirmed)), "pending");
  assert.match(lines.join(""), /"event":"rail\.lines_unreadable".* line 3 .*"count":3/);
  await rail.close();
  const path = join(directory, file);
  writeFileSync(path, readFileSync(path, "utf8").replace('"amount":"150000.00"', '"amount":"150000.01"'));
  lines.splice(0);
  rail = await open();
  await assertStopped(rail, lines, new RegExp(`edited: 1 changed lines.*${one.referenceNo}`));
  await rail.close();
});

test("a directory of the release before stops the rail until it is taken over, once; its process writes no more", async () => {
  const { database, lines, one } = await fixture();
  const old = scratchDirectory();
  const before = instructionTo(account);
  writeFileSync(join(old, "instructions-2026-11-21.jsonl"), `${JSON.stringify(before)}\n`);
  const archived = instructionTo(account);
  const { amount, currency, beneficiaryBankCode, beneficiaryAccountNo } = archived;
  const content = JSON.stringify([amount, currency, beneficiaryBankCode, beneficiaryAccountNo]);
  const open = { [archived.referenceNo]: content };
  const keys = { [archived.referenceNo]: archived.idempotencyKey };
  writeFileSync(
    join(old, "open-instructions.json"),
    JSON.stringify({ upTo: "instructions-2026-11-20.jsonl", open, keys }),
  );
  writeFileSync(join(old, "lock-3"), "{}");
  mkdirSync(join(old, "results"));
  tell(old, "a.jsonl", { referenceNo: before.referenceNo, result: "settled" });
  tell(old, "a.jsonl", { referenceNo: before.referenceNo, result: "returned" });
  const size = readFileSync(join(old, "results", "a.jsonl"), "utf8").indexOf("\n") + 1;
  writeFileSync(join(old, "acknowledged.json"), JSON.stringify({ "a.jsonl": { upTo: size, beyond: [] } }));
  const openIn = () => openFileRail({ name: "rtgs", directory: old, url: database.url }, { lines });
  lines.splice(0);
  let rail = await openIn();
  await assertStopped(rail, lines, /earlier: 1 lines of an earlier release.*take-over-directory/);
  await rail.close();
  for (let times = 0; times < 2; times += 1) {
    const { exitCode, stderr } = await cli(database.url, "rails", "take-over-directory", "rtgs", old, "--yes");
    assert.equal(exitCode, 0, stderr);
  }
  assert.ok(readdirSync(old).includes("lock-4"));
  rail = await openIn();
  assert.deepEqual(
    (await rail.results(10)).map(({ state }) => state.kind),
    ["returned"],
  );
  assert.equal(kindOf(await rail.submit(before, timeout(), confirmed)), "returned");
  assert.equal(kindOf(await rail.submit(archived, timeout(), confirmed)), "pending");
  assert.equal(instructionsIn(old).length, 1);
  await rail.submit(one, timeout(), confirmed);
  assert.equal(instructionsIn(old).length, 2);
  await rail.close();
});

test("a directory that may hold open transfers is not released; a released one is not missed", async () => {
  await using transfers = await createRailFixture();
  const { exitCode, stderr } = await cli(transfers.url, "rails", "release-directory", "interbank", "--yes");
  assert.equal(exitCode, 1, stderr);
  assert.match(stderr, /1 pending transfers may be in its directory/);
  const { database, open } = await fixture();
  const pool = createAdminPool(database.url, 1);
  assert.equal(await releaseDirectory({ pool, adminPool: pool }, "skn"), 0);
  await pool.end();
  const empty = scratchDirectory();
  const rail = await open(empty);
  await rail.submit(instructionTo(account), timeout(), confirmed);
  assert.equal(instructionsIn(empty).length, 1);
  await rail.close();
});
