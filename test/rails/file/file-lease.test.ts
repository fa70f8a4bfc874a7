/** Goal: several nodes share a rail of files; whichever dies, sleeps or fails, an instruction is carried once by the rule of its format. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Instruction, RailDown } from "../../../packages/server/src/rails/rail.ts";
import { eventually } from "../../support/black-box/answers.ts";
import { useDatabase } from "../../support/database/database.ts";
import { queryRows } from "../../support/database/with-client.ts";
import { confirmed } from "../../support/confirmed-commit.ts";
import { type ForkedRail, forkRail } from "../contract/fork-rail.ts";
import { type FilePlan, openFileRail } from "../contract/open-rail.ts";
import { instructionTo, kindOf, timeout } from "../contract/other-side.ts";
import { carriedIn, instructionsIn, scratchDirectory, tell } from "./file-side.ts";

const database = await useDatabase();
after(() => database.drop());
const rails = ["interbank", "rtgs", "skn"] as const;
let plans = 0;
/** A rail that no other test of this file uses. */
function newPlan(): FilePlan {
  const name = rails[plans] ?? assert.fail("there are no more rails");
  plans += 1;
  return { kind: "file", name, directory: scratchDirectory(), url: database.url };
}

const account = "1000000001";
const submit = (forked: ForkedRail, instruction: Instruction) => forked.call({ kind: "submit", instruction });
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString().replace("Z", "+00:00");

test("the holder is killed: another node exports within seconds, and an orderly stop hands over at once", async () => {
  const plan = newPlan();
  const first = await forkRail(plan);
  const second = await openFileRail(plan);
  const [one, two, three] = [instructionTo(account), instructionTo(account), instructionTo(account)];
  assert.equal((await submit(first, one)).kind, "answered");
  assert.equal(kindOf(await second.submit(two, timeout(), confirmed)), "pending");
  await first.kill();
  const killedAt = performance.now();
  // Its first call may end in time unwritten: then it certainly was not handed over.
  const found = await second.submit(three, timeout(), confirmed).catch((error: unknown) => error);
  assert.ok(found instanceof RailDown || kindOf(found as never) === "pending");
  assert.equal(kindOf(await second.submit(three, timeout(), confirmed)), "pending");
  assert.ok(performance.now() - killedAt < 15_000);
  const third = await openFileRail(plan);
  await second.close();
  assert.equal(kindOf(await third.submit(instructionTo(account), timeout(), confirmed)), "pending");
  const lines = instructionsIn(plan.directory) as readonly (Instruction & { sequence: number })[];
  assert.deepEqual(
    lines.map(({ sequence }) => sequence),
    [1, 2, 3, 4],
  );
  assert.deepEqual(
    lines.slice(0, 3).map(({ referenceNo }) => referenceNo),
    [one, two, three].map(({ referenceNo }) => referenceNo),
  );
  // Each lease has a file of its own.
  assert.equal(readdirSync(plan.directory).filter((name) => name.startsWith("instructions-")).length, 3);
  tell(plan.directory, "a.jsonl", { referenceNo: one.referenceNo, result: "settled" });
  assert.equal(kindOf(await third.inquire(one.referenceNo, timeout())), "settled");
  await third.close();
});

test("the holder sleeps between its commit and its line: another node writes the line, and the late one is the same instruction", async () => {
  const plan = newPlan();
  await using sleeper = await forkRail({ ...plan, stopsBeforeLine: true });
  const late = { ...instructionTo(account), validUntil: inSeconds(60) };
  void submit(sleeper, late);
  const rail = await openFileRail(plan);
  while (instructionsIn(plan.directory).length === 0) await sleep(20);
  assert.equal(kindOf(await rail.inquire(late.referenceNo, timeout())), "pending");
  process.kill(sleeper.pid, "SIGCONT");
  const other = instructionTo(account);
  // The sleeper has lost the lease: it writes nothing, and what it is asked for goes to the holder.
  assert.equal((await submit(sleeper, other)).kind, "answered");
  assert.deepEqual(
    carriedIn(plan.directory).map(({ referenceNo }) => referenceNo),
    [late.referenceNo, other.referenceNo],
  );
  const rows = await queryRows(
    database.url,
    `select sequence::int, written_at is not null as written from rail_instructions where rail = '${plan.name}' order by 1`,
  );
  assert.deepEqual(rows, [
    { sequence: 1, written: true },
    { sequence: 2, written: true },
  ]);
  await rail.close();
});

test("an instruction that expired unwritten is written by its next submission, with its number, key and sequence", async () => {
  const plan = newPlan();
  const sleeper = await forkRail({ ...plan, stopsBeforeLine: true });
  const instruction = { ...instructionTo(account), validUntil: inSeconds(1) };
  void submit(sleeper, instruction);
  const sequences = `select sequence from rail_instructions where rail = '${plan.name}' and sequence is not null`;
  await eventually(async () => (await queryRows(database.url, sequences)).length > 0, 20);
  await sleeper.kill();
  await sleep(1_000);
  const rail = await openFileRail(plan);
  assert.equal(await rail.inquire(instruction.referenceNo, timeout()), undefined);
  assert.deepEqual(instructionsIn(plan.directory), []);
  const again = { ...instruction, validUntil: inSeconds(20) };
  const answer = await rail.submit(again, timeout(), confirmed).catch(() => rail.submit(again, timeout(), confirmed));
  assert.equal(kindOf(answer), "pending");
  const [line] = instructionsIn(plan.directory) as readonly (Instruction & { sequence: number })[];
  assert.deepEqual(
    [line?.referenceNo, line?.idempotencyKey, line?.sequence],
    [instruction.referenceNo, instruction.idempotencyKey, 1],
  );
  assert.ok(Date.parse(line?.validUntil ?? "") > Date.now());
  await rail.close();
});
