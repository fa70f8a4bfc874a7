/** The part of a rail's contract that is about results that come by themselves. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Instruction } from "../../../packages/server/src/rails/rail.ts";
import { submitPending, instructionTo, kindOf, type OtherSide, timeout, textsOf, withRail } from "./other-side.ts";

type Triple = [Instruction, Instruction, Instruction];

export function testResults(side: OtherSide): void {
  const settles = () => instructionTo(side.accountOf("settled"));

  test("results come in order, again and again until they are acknowledged, and then no more", async () => {
    const rail = await side.open();
    // The later a number was made the later it sorts: results come by time, not by number.
    const [first, second, third] = [settles(), settles(), settles()].toReversed() as Triple;
    for (const one of [first, second, third]) {
      await submitPending(side, rail, one);
      await side.end();
    }
    const all = [first, second, third].map(({ referenceNo }) => `${referenceNo} settled`);
    assert.deepEqual(textsOf(await rail.results(100)), all);
    assert.deepEqual(textsOf(await rail.results(2)), all.slice(0, 2));
    assert.equal(await rail.waiting(), 3);
    await rail.close();
    const next = await side.open();
    const again = await next.results(100);
    assert.deepEqual(textsOf(again), all);
    await next.acknowledge(again.slice(1, 2));
    await next.acknowledge(again.slice(1, 2));
    assert.deepEqual(textsOf(await next.results(100)), [all[0], all[2]]);
    assert.equal(await next.waiting(), 2);
    await next.close();
    await withRail(side, async (last) => {
      assert.deepEqual(textsOf(await last.results(100)), [all[0], all[2]]);
      await last.acknowledge(await last.results(100));
      assert.deepEqual([await last.results(100), await last.waiting()], [[], 0]);
      assert.equal(kindOf(await last.inquire(first.referenceNo, timeout())), "settled");
    });
  });

  test("what comes back after settlement is a result of its own, behind it", () =>
    withRail(side, async (rail) => {
      const instruction = settles();
      const { referenceNo } = instruction;
      await submitPending(side, rail, instruction);
      await side.end();
      assert.deepEqual(textsOf(await rail.results(100)), [`${referenceNo} settled`]);
      await side.bringBack(referenceNo);
      const both = await rail.results(100);
      assert.deepEqual(textsOf(both), [`${referenceNo} settled`, `${referenceNo} returned`]);
      assert.equal(kindOf(await rail.inquire(referenceNo, timeout())), "returned");
      await rail.acknowledge(both.slice(0, 1));
      assert.deepEqual(textsOf(await rail.results(100)), [`${referenceNo} returned`]);
      await rail.acknowledge(both);
      assert.deepEqual(await rail.results(100), []);
    }));
}
