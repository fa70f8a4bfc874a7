/** The part of a rail's contract that is about dying: in a process of its own, which is killed outright. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Instruction, Rail, RailResult } from "../../../packages/server/src/rails/rail.ts";
import { eventually } from "../../support/black-box/answers.ts";
import { arrival, submitPending, instructionTo, kindOf, type OtherSide, timeout, textsOf } from "./other-side.ts";
import { forkRail, type ForkedRail } from "./fork-rail.ts";
import { confirmed } from "../../support/confirmed-commit.ts";

export function testKills(side: OtherSide): void {
  const settles = () => instructionTo(side.accountOf("settled"));

  test("killed between any two calls, the next instance goes on", { timeout: 120_000 }, async () => {
    const calls = 5;
    for (let done = 0; done <= calls; done += 1) {
      const [one, two] = [settles(), settles()];
      await side.silence();
      const submit = async (rail: ForkedRail, instruction: Instruction) => {
        void rail.call({ kind: "submit", instruction });
        await arrival(side, instruction);
      };
      const steps = [
        (rail: ForkedRail) => submit(rail, one),
        (rail: ForkedRail) => submit(rail, two),
        async (rail: ForkedRail) => {
          await side.end();
          await rail.call({ kind: "results", most: 100 });
        },
        async (rail: ForkedRail) => takeOne(rail, one.referenceNo),
        async (rail: ForkedRail) => takeOne(rail, two.referenceNo),
      ];
      await using forked = await forkRail(side.plan);
      for (const step of steps.slice(0, done)) await step(forked);
      await forked.kill();

      const rail = await side.open();
      for (const instruction of [one, two]) await submitPending(side, rail, instruction);
      await side.end();
      await checkEnded(side, rail, [one.referenceNo, two.referenceNo], done);
      await rail.close();
    }
  });

  test("killed amid many submissions, it has each one that it answered, and none twice", {
    timeout: 120_000,
  }, async () => {
    await using forked = await forkRail(side.plan);
    const instructions = Array.from({ length: 200 }, settles);
    let answered = 0;
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    const answers = instructions.map(async (instruction) => {
      const { kind } = await forked.call({ kind: "submit", instruction });
      answered += 1;
      if (answered === 20) resolve();
      return kind;
    });
    await enough;
    await forked.kill();
    const kinds = await Promise.all(answers);
    const rail = await side.open();
    for (const [index, { referenceNo }] of instructions.entries()) {
      const state = await rail.inquire(referenceNo, timeout());
      if (kinds[index] === "answered") assert.notEqual(state, undefined);
      assert.equal(await side.carried(referenceNo), state === undefined ? 0 : 1);
    }
    await Promise.all(instructions.map((instruction) => rail.submit(instruction, timeout(), confirmed)));
    for (const { referenceNo } of instructions) assert.equal(await side.carried(referenceNo), 1);
    await rail.close();
  });
}

async function takeOne(rail: ForkedRail, referenceNo: string): Promise<void> {
  const answer = await rail.call({ kind: "results", most: 100 });
  assert.ok(answer.kind === "answered");
  const results = answer.value as readonly RailResult[];
  await rail.call({ kind: "acknowledge", results: results.filter((result) => result.referenceNo === referenceNo) });
}

/** After so many steps in the process that was killed: the first `done - 3` results were acknowledged there. */
async function checkEnded(side: OtherSide, rail: Rail, references: readonly string[], done: number): Promise<void> {
  for (const referenceNo of references) {
    assert.equal(await side.carried(referenceNo), 1);
    // The next holder waits, on a rail with one writer, until the lease of the dead ends.
    await eventually(async () => kindOf(await rail.inquire(referenceNo, timeout())) !== "pending", 50);
    assert.equal(kindOf(await rail.inquire(referenceNo, timeout())), "settled");
  }
  const expected = references.slice(Math.max(0, done - 3)).map((referenceNo) => `${referenceNo} settled`);
  await eventually(async () => (await rail.waiting()) >= expected.length, 50);
  const results = await rail.results(100);
  assert.deepEqual(textsOf(results).toSorted(), expected.toSorted());
  await rail.acknowledge(results);
  assert.equal(await rail.waiting(), 0);
}
