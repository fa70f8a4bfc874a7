/** Goal: an operator takes a rail from a directory that differs to one that goes on, by commands, and nothing is paid twice. */
import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createClock } from "../../../packages/server/src/basics/clock.ts";
import { railRecords } from "../../../packages/server/src/compose/rails/rail-records.ts";
import type { Instruction, Rail } from "../../../packages/server/src/rails/rail.ts";
import { createAdminPool } from "../../../packages/server/src/store/postgres/connect.ts";
import { reviewDirectory } from "../../../packages/rail-files/src/export/review.ts";
import { masterKeys } from "../../support/administration.ts";
import { runCli } from "../../support/cli/run-cli.ts";
import { confirmed } from "../../support/confirmed-commit.ts";
import { copyDatabase } from "../../support/database/copy-database.ts";
import { useDatabase } from "../../support/database/database.ts";
import { roleUrlsOf } from "../../support/database/template.ts";
import { queryRows, runStatements } from "../../support/database/with-client.ts";
import { openFileRail } from "../contract/open-rail.ts";
import { instructionTo, kindOf, timeout } from "../contract/other-side.ts";
import { instructionsIn, newestFileIn, scratchDirectory, tell } from "./file-side.ts";

const account = "1000000001";
type Line = Instruction & { readonly sequence: number };
const sequencesIn = (directory: string) =>
  (instructionsIn(directory) as readonly Line[]).map(({ sequence }) => sequence);

/** Two instructions are written, and nobody has the lease. */
async function fixture() {
  const database = await useDatabase();
  after(() => database.drop());
  const directory = scratchDirectory();
  const open = async (where = directory, url = database.url, lines: string[] = []) => {
    const rail = await openFileRail({ name: "skn", directory: where, url }, { lines });
    after(() => rail.close());
    return rail;
  };
  const rail = await open();
  const [one, two] = [instructionTo(account), instructionTo(account)];
  for (const instruction of [one, two]) await rail.submit(instruction, timeout(), confirmed);
  await rail.close();
  return { database, directory, open, one, two };
}

/** Commands on a database. */
const commandsOn =
  (url: string) =>
  async (command: string, exitCode: number, ...args: readonly string[]) => {
    const env = { DATABASE_URL: url, TITIAN_MASTER_KEY: masterKeys.current.toString("base64") };
    const ended = await runCli(["rails", command, "skn", ...args], { env });
    assert.equal(ended.exitCode, exitCode, `${ended.stdout}\n${ended.stderr}`);
    return ended;
  };

interface Listed {
  readonly differences: readonly Readonly<Record<string, unknown>>[];
  readonly lines: readonly { readonly kind: string; readonly file: string; readonly line: number }[];
}
const listed = ({ stdout }: { readonly stdout: string }) => JSON.parse(stdout) as Listed;
const submit = (rail: Rail, instruction: Instruction) => rail.submit(instruction, timeout(), confirmed);

/** Until the rail takes it. */
async function submitUntilTaken(rail: Rail, instruction: Instruction): Promise<string> {
  for (;;) {
    const validUntil = new Date(Date.now() + 5_000).toISOString().replace("Z", "+00:00");
    const state = await submit(rail, { ...instruction, validUntil }).catch(() => undefined);
    if (state !== undefined) return kindOf(state);
    await sleep(100);
  }
}

test("a restored database: its forgotten line is listed, decided as not carried, and the rail goes on behind it; the repeat is written once", async () => {
  const { database, directory, open, one } = await fixture();
  await using backup = await copyDatabase(database.ownerUrl);
  const before = await open();
  const forgotten = { ...instructionTo(account), validUntil: new Date(Date.now() + 2_000).toISOString() };
  await submit(before, forgotten);
  await before.close();
  const { url, administrationUrl } = roleUrlsOf(backup.url);
  const run = commandsOn(administrationUrl);
  const lines: string[] = [];
  const rail = await open(directory, url, lines);
  const repeat = { ...forgotten, referenceNo: instructionTo(account).referenceNo };
  await assert.rejects(submit(rail, repeat), /the directory is ahead: 1 lines/);
  tell(directory, "a.jsonl", { referenceNo: forgotten.referenceNo, result: "rejected", rejection: "rejected" });

  const { differences } = listed(await run("reconcile", 1, directory, "--json"));
  const [first] = differences;
  assert.equal(differences.length, 1);
  assert.deepEqual(
    [
      first?.["kind"],
      first?.["sequence"],
      first?.["referenceNo"],
      first?.["amount"],
      first?.["line"],
      first?.["results"],
    ],
    ["ahead", 3, forgotten.referenceNo, forgotten.amount, 1, ["rejected"]],
  );
  assert.match(
    (await run("open", 1, directory)).stdout,
    new RegExp(`ahead +3 +${forgotten.referenceNo}.*rejected +open`),
  );
  assert.match(
    (await run("take-over-directory", 1, directory, "--yes")).stderr,
    new RegExp(`forgotten .*${forgotten.referenceNo}.*titian rails reconcile`),
  );
  await run("decide", 1, forgotten.referenceNo, directory, "--export-again", "--reason", "a mail");
  const notCarried = [forgotten.referenceNo, directory, "--not-carried", "--reason", "a mail"];
  mkdirSync(join(directory, "results", "b.jsonl"));
  assert.match((await run("decide", 1, ...notCarried)).stderr, /is not known.*b\.jsonl: it is no file/);
  rmSync(join(directory, "results", "b.jsonl"), { recursive: true });
  for (let times = 0; times < 2; times += 1) await run("decide", 0, ...notCarried);
  // The decision alone opens nothing.
  await sleep(3_500);
  const inTime = new Date(Date.now() + 5_000).toISOString();
  await assert.rejects(submit(rail, { ...repeat, validUntil: inTime }), /titian rails open/);
  await run("open", 0, directory);
  assert.equal(await submitUntilTaken(rail, repeat), "pending");
  assert.equal(kindOf(await submit(rail, one)), "pending");
  assert.deepEqual(sequencesIn(directory), [1, 2, 3, 4]);
  await rail.close();
  const next = await open(directory, url);
  await submit(next, instructionTo(account));
  assert.deepEqual(sequencesIn(directory), [1, 2, 3, 4, 5]);
  assert.equal(listed(await run("reconcile", 0, directory, "--json")).differences.length, 1);
  await next.close();
});

test("a lost directory: what the rail has is written no more, what it lacks once more under its number, key and sequence", async () => {
  const { database, open, one, two } = await fixture();
  const run = commandsOn(roleUrlsOf(database.ownerUrl).administrationUrl);
  const empty = scratchDirectory();
  const rail = await open(empty);
  await assert.rejects(submit(rail, instructionTo(account)), /behind: 2 instructions/);
  const numbers = listed(await run("reconcile", 1, empty, "--json")).differences.map((found) => found["referenceNo"]);
  assert.deepEqual(numbers, [one.referenceNo, two.referenceNo]);
  await run("decide", 0, one.referenceNo, empty, "--carried", "--reason", "a mail");
  await run("open", 1, empty);
  const exportAgain = [two.referenceNo, empty, "--export-again", "--reason", "a mail"];
  tell(empty, "a.jsonl", { referenceNo: two.referenceNo, result: "settled" });
  assert.match((await run("decide", 1, ...exportAgain)).stderr, /reported .* as settled. Decide --carried/);
  rmSync(join(empty, "results/a.jsonl"));
  await run("decide", 0, ...exportAgain);
  await run("open", 0, empty);
  assert.equal(await submitUntilTaken(rail, instructionTo(account)), "pending");
  // Not by itself: its transfer is inquired about, and submitted again by a commit of its own.
  assert.deepEqual(sequencesIn(empty), [3]);
  assert.equal(await rail.inquire(two.referenceNo, timeout()), undefined);
  assert.equal(await submitUntilTaken(rail, two), "pending");
  const line = (instructionsIn(empty) as readonly Line[]).find(({ sequence }) => sequence === 2);
  assert.deepEqual([line?.referenceNo, line?.idempotencyKey], [two.referenceNo, two.idempotencyKey]);
  assert.ok(Date.parse(line?.validUntil ?? "") > Date.now());
  for (const again of [one, two]) assert.equal(await submitUntilTaken(rail, again), "pending");
  assert.deepEqual(sequencesIn(empty), [3, 2]);
  await rail.close();
  await run("reconcile", 0, empty);
});

test("a directory that is given back its files is no longer listed as behind", async () => {
  const { database, directory, open } = await fixture();
  const run = commandsOn(roleUrlsOf(database.ownerUrl).administrationUrl);
  const elsewhere = scratchDirectory();
  await (await open(elsewhere)).close();
  await run("reconcile", 1, elsewhere);
  await (await open()).close();
  assert.deepEqual(listed(await run("reconcile", 0, directory, "--json")).differences, []);
  const rail = await open();
  assert.equal(await submitUntilTaken(rail, instructionTo(account)), "pending");
  // A rail that is not stopped is not disturbed.
  const holder = "select holder, fence from rail_leases where rail = 'skn' and holder is not null";
  const before = await queryRows(database.ownerUrl, holder);
  assert.equal(before.length, 1);
  await run("open", 0, directory);
  assert.deepEqual(await queryRows(database.ownerUrl, holder), before);
  await rail.close();
});

test("torn, unreadable, repeated, edited, foreign lines and earlier ones are named with file and line; some keep the rail stopped", async () => {
  const { database, directory, open } = await fixture();
  const run = commandsOn(roleUrlsOf(database.ownerUrl).administrationUrl);
  const path = newestFileIn(directory);
  const [first = "", second = ""] = readFileSync(path, "utf8").split("\n");
  const change = (text: string, changes: object) => JSON.stringify({ ...JSON.parse(text), ...changes });
  const more = [
    first,
    '{"referenceNo":"01',
    change(second, { amount: "1.00" }),
    change(second, { ledgerId: "theirs", referenceNo: "X1" }),
    change(second, { rail: "interbank", referenceNo: "X4" }),
    change(second, { ledgerId: undefined, sequence: undefined, referenceNo: "X2" }),
    change(second, { referenceNo: "a\u0000b" }),
    change(second, { sequence: 9_007_199_254_740_991, referenceNo: "X3" }),
  ];
  appendFileSync(path, `${more.join("\n")}\n${second.slice(0, 20)}`);
  const { lines, differences } = listed(await run("reconcile", 1, directory, "--json"));
  assert.deepEqual(
    lines.map(({ kind, line }) => `${line} ${kind}`),
    [
      "3 repeated",
      "4 unreadable",
      "5 edited",
      "6 foreign",
      "7 foreign",
      "8 earlier",
      "9 unreadable",
      "10 unreadable",
      "11 torn",
    ],
  );
  assert.deepEqual(differences, []);
  assert.match((await run("open", 1, directory)).stdout, /edited +instructions-.*\.jsonl +5 /);
  writeFileSync(path, `${[first, second, first].join("\n")}\n${second.slice(0, 20)}`);
  assert.match((await run("open", 0, directory)).stdout, /goes on behind sequence 2/);
  const rail = await open();
  assert.equal(await submitUntilTaken(rail, instructionTo(account)), "pending");
  await rail.close();
});

test("a directory of 20,000 lines is read page by page, and what it lacks and has is all found", async () => {
  const database = await useDatabase();
  after(() => database.drop());
  const directory = scratchDirectory();
  mkdirSync(join(directory, "results"));
  const pool = createAdminPool(database.url, 2);
  after(() => pool.end());
  const records = railRecords({ cell: 0, pool, adminPool: pool, clock: createClock() }, "skn");
  const { ledgerId } = await records.origin();
  const terms = { amount: "1.00", currency: "IDR", beneficiaryBankCode: "014", beneficiaryAccountNo: account };
  const lineOf = (sequence: number) =>
    JSON.stringify({
      referenceNo: `N${sequence}`,
      ...terms,
      sequence,
      ledgerId,
      validUntil: "2026-11-21T10:00:05+07:00",
    });
  await runStatements(database.ownerUrl, [
    "insert into rail_leases (rail, sequence) values ('skn', 20000)",
    `insert into rail_instructions (rail, reference_no, terms, valid_until, sequence, written_at)
      select 'skn', 'N' || n, json_build_object('referenceNo', 'N' || n, 'amount', '1.00', 'currency', 'IDR',
        'beneficiaryBankCode', '014', 'beneficiaryAccountNo', '${account}')::text, now(), n, now() - interval '1 minute'
      from generate_series(1, 20000) n`,
  ]);
  const numbers = Array.from({ length: 20_010 }, (_, index) => index + 1).filter((number) => number % 1_000 !== 7);
  const files = Map.groupBy(numbers, (number) => Math.floor(number / 7_001));
  for (const [day, ofDay] of files)
    writeFileSync(
      join(directory, `instructions-2026-01-0${day + 1}-000001.jsonl`),
      `${ofDay.map(lineOf).join("\n")}\n`,
    );
  let pages = 0;
  const onProgress = async () => void (pages += 1);
  const { counts, sequence } = await reviewDirectory({
    directory,
    records,
    now: Date.now(),
    isWhole: true,
    isHolder: true,
    onProgress,
  });
  assert.deepEqual([counts.agrees, counts.ahead, counts.behind, sequence], [19_980, 9, 20, 20_010]);
  assert.ok(pages >= 40, `${pages} pages`);
  const rows = await queryRows(
    database.ownerUrl,
    "select kind, count(*)::int from rail_differences group by 1 order by 1",
  );
  assert.deepEqual(rows, [
    { kind: "ahead", count: 9 },
    { kind: "behind", count: 20 },
  ]);
});
