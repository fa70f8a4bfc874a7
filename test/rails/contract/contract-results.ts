/** The part of a rail's contract that is about results that come by themselves. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Instruction } from "../../../packages/server/src/rails/rail.ts";
import { handOver, instructionTo, kindOf, type OtherSide, patience, told, withRail } from "./other-side.ts";

type Triple = [Instruction, Instruction, Instruction];

export function testResults(side: OtherSide): void {
  const settles = () => instructionTo(side.accountOf("settled"));

  test("results come in order, are told again until they are taken, and then no more", async () => {
    const rail = await side.open();
    // The later a number was made the later it sorts: results come by time, not by number.
    const [first, second, third] = [settles(), settles(), settles()].toReversed() as Triple;
    for (const one of [first, second, third]) {
      await handOver(side, rail, one);
      await side.end();
    }
    const all = [first, second, third].map(({ referenceNo }) => `${referenceNo} settled`);
    assert.deepEqual(told(await rail.results(100)), all);
    assert.deepEqual(told(await rail.results(2)), all.slice(0, 2));
    assert.equal(await rail.waiting(), 3);
    await rail.close();
    const next = await side.open();
    const again = await next.results(100);
    assert.deepEqual(told(again), all);
    await next.take(again.slice(1, 2));
    await next.take(again.slice(1, 2));
    assert.deepEqual(told(await next.results(100)), [all[0], all[2]]);
    assert.equal(await next.waiting(), 2);
    await next.close();
    await withRail(side, async (last) => {
      assert.deepEqual(told(await last.results(100)), [all[0], all[2]]);
      await last.take(await last.results(100));
      assert.deepEqual([await last.results(100), await last.waiting()], [[], 0]);
      assert.equal(kindOf(await last.inquire(first.referenceNo, patience())), "settled");
    });
  });

  test("what comes back after settlement is a result of its own, behind it", () =>
    withRail(side, async (rail) => {
      const instruction = settles();
      const { referenceNo } = instruction;
      await handOver(side, rail, instruction);
      await side.end();
      assert.deepEqual(told(await rail.results(100)), [`${referenceNo} settled`]);
      await side.bringBack(referenceNo);
      const both = await rail.results(100);
      assert.deepEqual(told(both), [`${referenceNo} settled`, `${referenceNo} returned`]);
      assert.equal(kindOf(await rail.inquire(referenceNo, patience())), "returned");
      await rail.take(both.slice(0, 1));
      assert.deepEqual(told(await rail.results(100)), [`${referenceNo} returned`]);
      await rail.take(both);
      assert.deepEqual(await rail.results(100), []);
    }));
}
