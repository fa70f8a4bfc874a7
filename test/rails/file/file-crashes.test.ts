/** Goal: whatever a crash, a full disk or another process does to a file rail's directory, an instruction is carried once. */
import assert from "node:assert/strict";
import { appendFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type Instruction, RailDown } from "../../../packages/server/src/rails/rail.ts";
import { giveAway, instructionFilesIn, instructionsIn, scratchDirectory, startFileSide, tell } from "./file-side.ts";
import { forkRail } from "../contract/fork-rail.ts";
import { openFileRail, type FilePlan } from "../contract/open-rail.ts";
import { instructionTo, kindOf, timeout, textsOf } from "../contract/other-side.ts";
import { confirmed } from "../../support/confirmed-commit.ts";

const newPlan = (): FilePlan => ({ kind: "file", name: "skn", directory: scratchDirectory() });
const account = "1000000001";

/** A directory in which a rail was given these instructions, and was closed. */
async function writtenPlan(instructions: readonly Instruction[]): Promise<FilePlan> {
  const plan = newPlan();
  const rail = await openFileRail(plan);
  for (const instruction of instructions) await rail.submit(instruction, timeout(), confirmed);
  await rail.close();
  return plan;
}

/** The path of the only file of instructions. */
const instructionsPath = (directory: string) => join(directory, instructionFilesIn(directory)[0] ?? assert.fail());

test("a line that a reader may have seen is not lost, whatever a crash leaves of it in its file", async () => {
  const [whole, torn] = [instructionTo(account), instructionTo(account)];
  const plan = await writtenPlan([whole, torn]);
  const path = instructionsPath(plan.directory);
  const text = readFileSync(path, "utf8");
  // As if the last write had not reached the disk wholly, or not at all.
  for (const kept of [text.length - 1, text.indexOf("\n") + 1]) {
    truncateSync(path, kept);
    const next = await openFileRail(plan);
    for (const { referenceNo } of [whole, torn]) {
      assert.equal(kindOf(await next.inquire(referenceNo, timeout())), "pending");
    }
    await next.close();
    assert.equal(readFileSync(path, "utf8"), text);
  }
});

test("a line that a crash cut off before anybody could see it was never submitted, and may be submitted again", async () => {
  const [whole, torn] = [instructionTo(account), instructionTo(account)];
  const plan = await writtenPlan([whole, torn]);
  for (const path of [instructionsPath(plan.directory), join(plan.directory, ".write-ahead")]) {
    truncateSync(path, readFileSync(path).length - 1);
  }
  const next = await openFileRail(plan);
  assert.equal(await next.inquire(torn.referenceNo, timeout()), undefined);
  assert.equal(kindOf(await next.inquire(whole.referenceNo, timeout())), "pending");
  await next.submit(torn, timeout(), confirmed);
  assert.deepEqual(
    instructionsIn(plan.directory).map(({ referenceNo }) => referenceNo),
    [whole.referenceNo, torn.referenceNo],
  );
  await next.close();
});

test("an instruction is written with all that it has, readable to others", async () => {
  const plan = newPlan();
  const rail = await openFileRail(plan);
  const instruction = instructionTo(account);
  await rail.submit(instruction, timeout(), confirmed);
  await rail.close();
  assert.deepEqual(instructionsIn(plan.directory), [instruction]);
});

test("a file of instructions that cannot be read is rejected, naming the line", async () => {
  const plan = newPlan();
  const rail = await openFileRail(plan);
  await rail.submit(instructionTo(account), timeout(), confirmed);
  await rail.close();
  appendFileSync(instructionsPath(plan.directory), "{}\n");
  await assert.rejects(openFileRail(plan), /instructions-[0-9-]+\.jsonl line 2 cannot be read/);
  // The failed start gave the directory back.
  writeFileSync(instructionsPath(plan.directory), "");
  await (await openFileRail(plan)).close();
});

test("on a full disk what was not written wholly is not submitted, and nothing more is tried", async () => {
  const side = startFileSide();
  await using forked = await forkRail(side.plan, { hasSmallFiles: true });
  const instructions = Array.from({ length: 6 }, () => instructionTo(account));
  const errors: (string | undefined)[] = [];
  for (const instruction of instructions) {
    const answer = await forked.call({ kind: "submit", instruction });
    errors.push(answer.kind === "unanswered" ? answer.error : "");
  }
  const failed = errors.findIndex((error) => error !== "");
  assert.ok(failed > 0);
  // Of one it is open whether it was written: the next start finishes it. Those behind it certainly were not.
  assert.deepEqual(errors.slice(failed), ["Error", ...errors.slice(failed + 1).map(() => "RailDown")]);
  const again = await forked.call({ kind: "submit", instruction: instructions[failed] ?? assert.fail() });
  assert.equal(again.kind === "unanswered" ? again.error : "", "Error");
  await forked.kill();
  const rail = await side.open();
  for (const [index, { referenceNo }] of instructions.entries()) {
    assert.equal(kindOf(await rail.inquire(referenceNo, timeout())), index <= failed ? "pending" : "unknown");
  }
  for (const instruction of instructions) await rail.submit(instruction, timeout(), confirmed);
  for (const { referenceNo } of instructions) assert.equal(await side.carried(referenceNo), 1);
  await rail.close();
  await side.close();
});

test("a second instance in the same directory is rejected, naming the process that has it", async () => {
  const plan = newPlan();
  const rail = await openFileRail(plan);
  await assert.rejects(openFileRail(plan), new RegExp(`lock-1 is held by process ${process.pid}`));
  await rail.close();
  await (await openFileRail(plan)).close();
});

test("of many processes that find a dead one's lock at the same time, one gets the directory", {
  timeout: 60_000,
}, async () => {
  const plan = newPlan();
  const dead = await forkRail(plan);
  await dead.kill();
  const tried = await Promise.allSettled(Array.from({ length: 6 }, () => forkRail(plan)));
  const opened = tried.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  assert.equal(opened.length, 1);
  await opened[0]?.kill();
});

test("a lock of another machine, or one that cannot be read, is nobody's to take", async () => {
  const plan = newPlan();
  writeFileSync(join(plan.directory, "lock-1"), JSON.stringify({ pid: 1, host: `not-${hostname()}` }));
  await assert.rejects(openFileRail(plan), /held by process 1 on the machine not-/);
  writeFileSync(join(plan.directory, "lock-2"), "");
  await assert.rejects(openFileRail(plan), /lock-2 cannot be read/);
});

test("a process of the same number that started at another time holds nothing", async () => {
  const plan = newPlan();
  const holder = { pid: process.pid, host: hostname(), start: "another boot:1" };
  writeFileSync(join(plan.directory, "lock-1"), JSON.stringify(holder));
  await (await openFileRail(plan)).close();
});

test("locks do not pile up", async () => {
  const plan = newPlan();
  for (let count = 0; count < 12; count += 1) await (await openFileRail(plan)).close();
  const locks = readdirSync(plan.directory).filter((name) => name.startsWith("lock-"));
  assert.deepEqual(locks.toSorted(), ["lock-10", "lock-11", "lock-12", ...[5, 6, 7, 8, 9].map((n) => `lock-${n}`)]);
});

test("whose directory was given away writes no more", async () => {
  const plan = newPlan();
  const rail = await openFileRail(plan);
  const instruction = instructionTo(account);
  await rail.submit(instruction, timeout(), confirmed);
  tell(plan.directory, "1.jsonl", { referenceNo: instruction.referenceNo, result: "settled" });
  const results = await rail.results(10);
  const takeBack = giveAway(plan.directory);
  await assert.rejects(rail.submit(instructionTo(account), timeout(), confirmed), RailDown);
  await assert.rejects(rail.acknowledge(results), /given to another process/);
  await rail.close();
  takeBack();
  const next = await openFileRail(plan);
  assert.deepEqual(textsOf(await next.results(10)), [`${instruction.referenceNo} settled`]);
  await next.close();
});
