/** Goal: what a file rail remembers is bounded by its newest four files and what is open, and whatever it forgets is never submitted twice. */
import assert from "node:assert/strict";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { instructionFilesIn, instructionsIn, scratchDirectory, tell } from "./file-side.ts";
import type { Instruction, Rail } from "../../../packages/server/src/rails/rail.ts";
import { type FileRailTerms, openFileRail } from "../contract/open-rail.ts";
import { instructionTo, kindOf, timeout, textsOf } from "../contract/other-side.ts";
import { confirmed } from "../../support/confirmed-commit.ts";

const account = "1000000001";
const dayMs = 86_400_000;

/** A rail on a day in Jakarta, and what of its transfers is open. */
function fixture() {
  const directory = scratchDirectory();
  const time = { now: Date.UTC(2026, 10, 21, 16, 59) };
  const open = new Set<string>();
  const asked: (readonly string[])[] = [];
  const terms: FileRailTerms = {
    clock: { now: () => time.now, real: () => time.now },
    records: {
      openAmong: async (referenceNos) => {
        asked.push(referenceNos);
        return new Set(referenceNos.filter((referenceNo) => open.has(referenceNo)));
      },
      hasEnded: async (referenceNo) => !open.has(referenceNo) && referenceNo !== "NEVER",
    },
  };
  return { directory, time, open, asked, openRail: () => openFileRail({ name: "skn", directory }, terms) };
}

/** Submits one instruction on each of so many further days. */
async function submitOnDays(rail: Rail, time: { now: number }, count: number): Promise<readonly Instruction[]> {
  const instructions = Array.from({ length: count }, () => instructionTo(account));
  for (const one of instructions) {
    time.now += dayMs;
    await rail.submit(one, timeout(), confirmed);
  }
  return instructions;
}

test("each day has its file; of the fifth newest only what is open is remembered, also by the next instance", async () => {
  const { directory, time, open, asked, openRail } = fixture();
  const [ended, stays, next, late] = Array.from({ length: 4 }, () => instructionTo(account));
  assert.ok(ended && stays && next && late);
  let rail = await openRail();
  await rail.submit(ended, timeout(), confirmed);
  await rail.submit(stays, timeout(), confirmed);
  open.add(stays.referenceNo);
  time.now += 60_000;
  await rail.submit(next, timeout(), confirmed);
  const others = await submitOnDays(rail, time, 3);
  await rail.close();
  const days = ["21", "22", "23", "24", "25"];
  assert.deepEqual(
    instructionFilesIn(directory),
    days.map((day) => `instructions-2026-11-${day}.jsonl`),
  );
  assert.deepEqual(asked, [[ended.referenceNo, stays.referenceNo]]);
  // The bank's transport may take the file of a day away.
  renameSync(join(directory, "instructions-2026-11-21.jsonl"), join(directory, "archived"));

  rail = await openRail();
  const kinds = await Promise.all([ended, stays, next].map(({ referenceNo }) => rail.inquire(referenceNo, timeout())));
  assert.deepEqual(kinds.map(kindOf), ["unknown", "pending", "pending"]);
  await rail.submit(stays, timeout(), confirmed);
  await rail.submit(next, timeout(), confirmed);
  await assert.rejects(
    rail.submit({ ...stays, amount: "1.00" }, timeout(), confirmed),
    /different instruction with the number/,
  );
  // Under another number, as after a restore of the database: the key is remembered.
  for (const one of [stays, next]) {
    assert.equal(kindOf(await rail.submit({ ...one, referenceNo: late.referenceNo }, timeout(), confirmed)), "pending");
  }
  // A clock that goes back begins no older file.
  time.now -= 3 * dayMs;
  await rail.submit(late, timeout(), confirmed);
  assert.deepEqual(
    instructionsIn(directory).map(({ referenceNo }) => referenceNo),
    [next, ...others, late].map(({ referenceNo }) => referenceNo),
  );
  await rail.close();
});

test("a line of a release before there were keys goes on to be read: its number alone makes it one", async () => {
  const { directory, openRail } = fixture();
  const instruction = instructionTo(account);
  let rail = await openRail();
  await rail.submit(instruction, timeout(), confirmed);
  await rail.close();
  const path = join(directory, "instructions-2026-11-21.jsonl");
  const { idempotencyKey, ...before } = instruction;
  assert.match(readFileSync(path, "utf8"), new RegExp(`"idempotencyKey":"${idempotencyKey}"`));
  writeFileSync(path, `${JSON.stringify(before)}\n`);
  rail = await openRail();
  assert.equal(kindOf(await rail.submit(instruction, timeout(), confirmed)), "pending");
  assert.equal(instructionsIn(directory).length, 1);
  await rail.close();
});

test("the return of an instruction that was forgotten is reported; of a number that never was, set aside", async () => {
  const { directory, time, openRail } = fixture();
  const first = instructionTo(account);
  const rail = await openRail();
  await rail.submit(first, timeout(), confirmed);
  tell(directory, "a.jsonl", { referenceNo: first.referenceNo, result: "settled" });
  await rail.acknowledge(await rail.results(10));
  await submitOnDays(rail, time, 4);
  await rail.close();
  const next = await openRail();
  tell(directory, "b.jsonl", { referenceNo: first.referenceNo, result: "returned" });
  tell(directory, "b.jsonl", { referenceNo: "NEVER", result: "returned" });
  assert.deepEqual(textsOf(await next.results(10)), [`${first.referenceNo} returned`]);
  assert.equal(readFileSync(join(directory, "set-aside.jsonl"), "utf8").split("\n").length, 2);
  await next.close();
});

test("the one file of earlier releases is read first, and written to no more", async () => {
  const { directory, time, open, openRail } = fixture();
  const [first, second] = [instructionTo(account), instructionTo(account)];
  const rail = await openRail();
  await rail.submit(first, timeout(), confirmed);
  open.add(first.referenceNo);
  await rail.close();
  renameSync(join(directory, "instructions-2026-11-21.jsonl"), join(directory, "instructions.jsonl"));
  for (let opened = 0; opened < 2; opened += 1) {
    const next = await openRail();
    await next.submit(first, timeout(), confirmed);
    await next.submit(second, timeout(), confirmed);
    await next.close();
    time.now += dayMs;
  }
  assert.deepEqual(
    instructionsIn(directory).map(({ referenceNo }) => referenceNo),
    [second.referenceNo, first.referenceNo],
  );
});
