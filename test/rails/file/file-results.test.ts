/** Goal: every line of results is returned until it is acknowledged, or set aside with its place and fault, and never lost. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Rail, RailState } from "../../../packages/server/src/rails/rail.ts";
import { scratchDirectory, tell } from "./file-side.ts";
import { useDatabase } from "../../support/database/database.ts";
import { queryRows, spoilRows } from "../../support/database/with-client.ts";
import { openFileRail } from "../contract/open-rail.ts";
import { instructionTo, kindOf, timeout, textsOf } from "../contract/other-side.ts";
import { confirmed } from "../../support/confirmed-commit.ts";

const account = "1000000001";

interface Fixture {
  readonly directory: string;
  readonly rail: Rail;
  readonly lines: string[];
  /** A number that was submitted. */
  readonly ours: string;
  /** Closes the rail and opens another. */
  again(): Promise<Fixture>;
}

const database = await useDatabase();
after(() => database.drop());
let opened: Rail | undefined;
after(() => opened?.close());

/** A rail with a directory of its own, on the database that all tests share; one at a time has its lease. */
async function fixture(directory = scratchDirectory(), ours?: string): Promise<Fixture> {
  await opened?.close();
  if (ours === undefined) {
    const tables = ["rail_instructions", "rail_leases", "rail_result_files", "rail_result_lines_set_aside"];
    await spoilRows(
      database.ownerUrl,
      tables.map((table) => `delete from ${table}`),
    );
  }
  const lines: string[] = [];
  const rail = await openFileRail({ name: "skn", directory, url: database.url }, { lines });
  opened = rail;
  const instruction = instructionTo(account);
  if (ours === undefined) await rail.submit(instruction, timeout(), confirmed);
  const referenceNo = ours ?? instruction.referenceNo;
  return { directory, rail, lines, ours: referenceNo, again: () => fixture(directory, referenceNo) };
}

/** `file line: fault` of what was set aside. */
async function setAside(): Promise<readonly string[]> {
  const rows = await queryRows(
    database.url,
    "select file || ' ' || line || ': ' || fault as text from rail_result_lines_set_aside order by set_aside_at",
  );
  return rows.map((row) => (row as { readonly text: string }).text);
}

async function positions(): Promise<readonly string[]> {
  const rows = await queryRows(database.url, "select name from rail_result_files order by name");
  return rows.map((row) => (row as { readonly name: string }).name);
}

const takeAll = async (rail: Rail) => {
  const results = await rail.results(100);
  await rail.acknowledge(results);
  return textsOf(results);
};

suite("lines that say nothing that can be understood", async () => {
  const cases: readonly (readonly [line: (ours: string) => string, fault: string])[] = [
    [() => "settled", "it is no JSON in UTF-8"],
    [(ours) => `{"referenceNo":"${ours}","result":"settled"`, "it is no JSON in UTF-8"],
    [() => "[]", "it is no JSON object whose members are all texts"],
    [(ours) => `{"referenceNo":"${ours}","result":{}}`, "it is no JSON object whose members are all texts"],
    [(ours) => `{"referenceNo":"${ours}","result":"rejected","result":"settled"}`, "a member stands in it twice"],
    [() => '{"result":"settled"}', "it has no `referenceNo`"],
    [
      (ours) => `{"referenceNo":"${ours}","result":"Settled"}`,
      "its `result` is neither settled, rejected nor returned",
    ],
    [(ours) => `{"referenceNo":"${ours}","result":"rejected"}`, "its `rejection` is none that is known"],
    [
      (ours) => `{"referenceNo":"${ours}","result":"rejected","rejection":"toString"}`,
      "its `rejection` is none that is known",
    ],
    [
      (ours) => `{"referenceNo":"${ours}","result":"settled","rejection":"rejected"}`,
      "it has a `rejection` and is not rejected",
    ],
    [
      (ours) => `{"referenceNo":"${ours}","result":"settled","traceNo":"12345678901234567"}`,
      "its `traceNo` has none or more than 16 characters",
    ],
    [
      (ours) => `{"referenceNo":"${ours}","result":"settled","note":"${"x".repeat(70_000)}"}`,
      "it is longer than 65536 bytes",
    ],
  ];
  for (const [line, fault] of cases) {
    test(`is set aside: ${line("N").slice(0, 80)}`, async () => {
      const { directory, rail, lines, ours, again } = await fixture();
      tell(directory, "a.jsonl", line(ours), { referenceNo: ours, result: "settled" });
      assert.deepEqual(await takeAll(rail), [`${ours} settled`]);
      assert.deepEqual(await setAside(), [`a.jsonl 1: ${fault}`]);
      assert.equal(lines.length, 1);
      assert.ok(lines[0]?.includes(`a.jsonl line 1: ${fault.slice(0, 20)}`));
      // Set aside once, however often the file is read again.
      const next = await again();
      assert.deepEqual([await next.rail.results(10), next.lines, (await setAside()).length], [[], [], 1]);
    });
  }
});

test("bytes that are no UTF-8 are set aside", async () => {
  const { directory, rail } = await fixture();
  appendFileSync(join(directory, "results", "a.jsonl"), Buffer.from([0x22, 0xff, 0x22, 0x0a]));
  assert.deepEqual(await rail.results(10), []);
  assert.deepEqual(await setAside(), ["a.jsonl 1: it is no JSON in UTF-8"]);
});

test("a line counts when its newline is there, and blank ones say nothing", async () => {
  const { directory, rail, ours } = await fixture();
  const path = join(directory, "results", "a.jsonl");
  appendFileSync(path, `\n  \r\n{"referenceNo":"${ours}",`);
  assert.equal(await rail.waiting(), 0);
  appendFileSync(path, '"result":"settled"}\r');
  assert.equal(await rail.waiting(), 0);
  appendFileSync(path, "\n");
  assert.deepEqual(await takeAll(rail), [`${ours} settled`]);
  assert.deepEqual(await setAside(), []);
});

test("what contradicts an earlier line is reported, too: the ledger sets it aside; an inquiry says what came first", async () => {
  const { directory, rail, ours, again } = await fixture();
  const say = (result: string, rejection?: string) =>
    tell(directory, "a.jsonl", { referenceNo: ours, result, ...(rejection && { rejection }) });
  say("settled");
  say("rejected", "rejected");
  assert.equal(kindOf(await rail.inquire(ours, timeout())), "settled");
  say("returned");
  say("settled");
  const all = ["settled", "rejected", "returned", "settled"].map((kind) => `${ours} ${kind}`);
  assert.deepEqual(textsOf(await rail.results(10)), all);
  const next = await again();
  assert.deepEqual(await takeAll(next.rail), all);
  assert.equal(kindOf(await next.rail.inquire(ours, timeout())), "returned");
  assert.deepEqual(await setAside(), []);
});

test("a result of an unknown number is reported, one of another ledger is left alone", async () => {
  const { directory, rail, ours } = await fixture();
  tell(directory, "a.jsonl", { referenceNo: "NEVER", result: "settled" });
  tell(directory, "a.jsonl", { referenceNo: ours, result: "settled", ledgerId: "another" });
  assert.deepEqual(await takeAll(rail), ["NEVER settled"]);
  assert.deepEqual(await setAside(), []);
});

test("files are read in the order of their names, and other files not at all", async () => {
  const { directory, rail } = await fixture();
  const numbers = await Promise.all(
    ["c", "a", "b"].map(async (name) => {
      const instruction = instructionTo(account);
      await rail.submit(instruction, timeout(), confirmed);
      tell(directory, `${name}.jsonl`, { referenceNo: instruction.referenceNo, result: "settled" });
      return instruction.referenceNo;
    }),
  );
  for (const name of [".hidden.jsonl", "a.jsonl.part", "readme.txt"]) tell(directory, name, "not for us");
  const [c, a, b] = numbers;
  assert.deepEqual(textsOf(await rail.results(10)), [`${a} settled`, `${b} settled`, `${c} settled`]);
});

test("what was acknowledged in front of what was not is remembered, and files may grow and go", async () => {
  const { directory, rail, ours, again } = await fixture();
  const other = instructionTo(account);
  await rail.submit(other, timeout(), confirmed);
  const settled = (referenceNo: string) => ({ referenceNo, result: "settled" });
  tell(directory, "a.jsonl", settled(ours), settled(other.referenceNo));
  await rail.acknowledge((await rail.results(10)).slice(1));
  const next = await again();
  tell(directory, "a.jsonl", { referenceNo: other.referenceNo, result: "returned" });
  assert.deepEqual(await takeAll(next.rail), [`${ours} settled`, `${other.referenceNo} returned`]);
  assert.deepEqual(await positions(), ["a.jsonl"]);
  rmSync(join(directory, "results", "a.jsonl"));
  tell(directory, "b.jsonl", { referenceNo: ours, result: "returned" });
  const last = await next.again();
  assert.deepEqual(await takeAll(last.rail), [`${ours} returned`]);
  assert.deepEqual(await positions(), ["b.jsonl"]);
});

test("a file of results that became shorter is set aside once, and holds up no other", async () => {
  const { directory, rail, ours, again } = await fixture();
  tell(directory, "a.jsonl", { referenceNo: ours, result: "settled" });
  assert.deepEqual(await takeAll(rail), [`${ours} settled`]);
  truncateSync(join(directory, "results", "a.jsonl"), 10);
  tell(directory, "b.jsonl", { referenceNo: ours, result: "returned" });
  assert.deepEqual(textsOf(await rail.results(10)), [`${ours} returned`]);
  const next = await again();
  assert.deepEqual(await takeAll(next.rail), [`${ours} returned`]);
  assert.deepEqual(await setAside(), ["a.jsonl 0: the file became shorter than it was; what it holds now is not read"]);
});

test("a directory, a dangling link or a socket among the results is set aside once, and holds up no file of results", async () => {
  const { directory, rail, lines, ours, again } = await fixture();
  const path = (name: string) => join(directory, "results", name);
  mkdirSync(path("a.jsonl"));
  symlinkSync(path("nowhere"), path("b.jsonl"));
  await using socket = createServer().listen(path("c.jsonl"));
  await once(socket, "listening");
  tell(directory, "d.jsonl", { referenceNo: ours, result: "settled" });
  assert.deepEqual(await takeAll(rail), [`${ours} settled`]);
  const next = await again();
  tell(directory, "d.jsonl", { referenceNo: ours, result: "returned" });
  assert.deepEqual(await takeAll(next.rail), [`${ours} returned`]);
  const [a, b, ...others] = await setAside();
  assert.deepEqual([a, ...others], ["a.jsonl 0: it is no file", "c.jsonl 0: it is no file"]);
  assert.equal(b, "b.jsonl 0: it is a symbolic link, which is not followed");
  assert.equal(lines.length, 3);
});

test("a link to a file elsewhere is not followed, and a pipe stops nothing", async () => {
  const { directory, rail, lines, ours } = await fixture();
  const path = (name: string) => join(directory, "results", name);
  writeFileSync(join(directory, "elsewhere"), `{"referenceNo":"${ours}","result":"rejected","rejection":"rejected"}\n`);
  symlinkSync(join(directory, "elsewhere"), path("a.jsonl"));
  execFileSync("mkfifo", [path("b.jsonl")]);
  symlinkSync("/dev/zero", path("c.jsonl"));
  tell(directory, "d.jsonl", { referenceNo: ours, result: "settled" });
  assert.deepEqual(await takeAll(rail), [`${ours} settled`]);
  assert.deepEqual(await setAside(), [
    "a.jsonl 0: it is a symbolic link, which is not followed",
    "b.jsonl 0: it is no file",
    "c.jsonl 0: it is a symbolic link, which is not followed",
  ]);
  assert.equal(lines.length, 3);
});

test("names and lines that hold controls are shown with their escapes, in the log and in what is set aside", async () => {
  const { directory, rail, lines, ours } = await fixture();
  const name = "a\u001b[2J\u009b31m\u202e.jsonl";
  tell(directory, name, { referenceNo: ours, result: "settled\u009b31m" });
  tell(directory, "b\u0007.jsonl", { referenceNo: ours, result: "settled" });
  mkdirSync(join(directory, "results", "c\u001b.jsonl"));
  assert.deepEqual(await takeAll(rail), [`${ours} settled`]);
  const kept = await queryRows(database.url, "select file, text from rail_result_lines_set_aside");
  const shown = lines.join("") + kept.map((row) => Object.values(row as object).join("")).join("");
  assert.doesNotMatch(shown.replaceAll("\n", ""), /[\p{Cc}\p{Cf}]/u);
  const messages = lines.map((line) => (JSON.parse(line) as { error: { message: string } }).error.message);
  assert.ok(messages[0]?.includes("a\\u001b[2J\\u009b31m\\u202e.jsonl line 1: "), messages[0]);
  assert.ok(messages[1]?.includes("c\\u001b.jsonl line 0: it is no file"), messages[1]);
});

test("beneficiaries are found in their file, which may change", async () => {
  const { directory, rail } = await fixture();
  const path = join(directory, "beneficiaries.jsonl");
  const ask = (accountNo: string) => rail.inquireBeneficiary("014", accountNo, timeout());
  await assert.rejects(ask("1"), /There is no directory of beneficiaries at .*beneficiaries\.jsonl/);
  const siti = { bankCode: "014", accountNo: "1", name: "Siti", currency: "IDR" };
  const closed = { ...siti, accountNo: "2", status: "closed" };
  writeFileSync(path, `${JSON.stringify(siti)}\n\n${JSON.stringify(closed)}\n`);
  assert.deepEqual(await ask("1"), { kind: "found", name: "Siti", currency: "IDR" });
  assert.deepEqual(await ask("2"), { kind: "closed" });
  assert.deepEqual(await ask("3"), { kind: "unknown" });
  assert.deepEqual(await rail.inquireBeneficiary("008", "1", timeout()), { kind: "unknown" });
  appendFileSync(path, '{"bankCode":"014","accountNo":"3","name":"Budi","currency":"IDR","status":"Closed"}\n');
  assert.deepEqual(await ask("1"), { kind: "found", name: "Siti", currency: "IDR" });
  // The line that cannot be read may be the one asked for.
  await assert.rejects(ask("3"), /beneficiaries\.jsonl line 4 is no beneficiary: a member is missing or unknown/);
});

test("a result that a caller of another node waits for: left to that node for a moment, then reported until it is acknowledged", async () => {
  const { directory, rail } = await fixture();
  const other = await openFileRail({ name: "skn", directory, url: database.url });
  after(() => other.close());
  const [awaited, own] = [instructionTo(account), instructionTo(account)];
  const told = Promise.withResolvers<RailState>();
  other.awaitState?.(awaited.referenceNo, Date.now() + 30_000, told.resolve);
  const endWait = rail.awaitState?.(own.referenceNo, Date.now() + 30_000, () => told.reject(new Error("its own")));
  await other.submit(awaited, timeout(), confirmed);
  await rail.submit(own, timeout(), confirmed);
  tell(directory, "a.jsonl", { referenceNo: own.referenceNo, result: "settled" });
  tell(directory, "a.jsonl", { referenceNo: awaited.referenceNo, result: "settled", traceNo: "T1" });
  const left = await rail.results(100);
  endWait?.();
  assert.deepEqual(textsOf(left), [`${own.referenceNo} settled`]);
  assert.deepEqual(await told.promise, { kind: "settled", traceNo: "T1" });
  await rail.acknowledge(left);
  assert.equal(await rail.waiting(), 1);
  const found: string[] = [];
  for (; found.length === 0; await sleep(100)) found.push(...(await takeAll(rail)));
  assert.deepEqual(found, [`${awaited.referenceNo} settled`]);
  assert.equal(await rail.waiting(), 0);
});
