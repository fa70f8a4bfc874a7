/** The part of a rail's contract that is about handing over, and asking what became of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { type Instruction, RailDown } from "../../../packages/server/src/rails/rail.ts";
import { submitPending, instructionTo, kindOf, type OtherSide, timeout, withRail } from "./other-side.ts";
import { confirmed } from "../../support/confirmed-commit.ts";

export function testSubmissions(side: OtherSide): void {
  const settles = () => instructionTo(side.accountOf("settled"));

  test("the same instruction twice, at once with itself, and on a new instance is carried once", async () => {
    const instruction = settles();
    const rails = await side.openAll();
    const atOnce = rails.flatMap((rail) => [1, 2, 3, 4].map(() => rail.submit(instruction, timeout(), confirmed)));
    const states = new Set((await Promise.all(atOnce)).map(kindOf));
    assert.equal(states.size, 1);
    for (const rail of rails) assert.ok(states.has(kindOf(await rail.submit(instruction, timeout(), confirmed))));
    await Promise.all(rails.map((rail) => rail.close()));
    await withRail(side, async (rail) => {
      assert.ok(states.has(kindOf(await rail.submit(instruction, timeout(), confirmed))));
      assert.ok(states.has(kindOf(await rail.inquire(instruction.referenceNo, timeout()))));
    });
    assert.equal(await side.carried(instruction.referenceNo), 1);
  });

  test("an instruction that is submitted after its time is not accepted", () =>
    withRail(side, async (rail) => {
      const late = { ...settles(), validUntil: "2026-01-01T00:00:00.000+07:00" };
      await assert.rejects(rail.submit(late, timeout(), confirmed), RailDown);
      assert.equal(await rail.inquire(late.referenceNo, timeout()), undefined);
      assert.equal(await side.carried(late.referenceNo), 0);
    }));

  test("a number that is another instruction's is an error, and the first one stands", () =>
    withRail(side, async (rail) => {
      const first = settles();
      await rail.submit(first, timeout(), confirmed);
      const others = [
        { amount: "150000.01" },
        { currency: "USD" },
        { beneficiaryBankCode: "008" },
        { beneficiaryAccountNo: "7" },
        { idempotencyKey: settles().idempotencyKey },
      ];
      for (const other of others) {
        const isError = (error: unknown) => error instanceof Error && !(error instanceof RailDown);
        await assert.rejects(rail.submit({ ...first, ...other }, timeout(), confirmed), isError);
      }
      await rail.submit({ ...first, details: {} }, timeout(), confirmed);
      assert.equal(await side.carried(first.referenceNo), 1);
    }));
}

export function testKeys(side: OtherSide): void {
  const settles = () => instructionTo(side.accountOf("settled"));

  test("one key under several numbers, at once, one after the other and on a new instance, is carried once", async () => {
    const first = settles();
    const numbered = () => ({ ...first, referenceNo: settles().referenceNo });
    const rails = await side.openAll();
    const copies = rails.flatMap(() => [numbered(), numbered(), numbered()]);
    const submit = async (one: Instruction, index: number) =>
      rails[index % rails.length]?.submit(one, timeout(), confirmed);
    const later = [numbered(), numbered(), numbered()] as const;
    const states = new Set((await Promise.all(copies.map(submit))).map(kindOf));
    states.add(kindOf(await submit(later[0], 0)));
    await Promise.all(rails.map((rail) => rail.close()));
    await withRail(side, async (rail) => {
      states.add(kindOf(await rail.submit(later[1], timeout(), confirmed)));
      assert.equal(states.size, 1);
      await side.end();
      // As reconciliation does: a number that the rail does not know is submitted, and answered with the state.
      for (const one of [...copies, ...later]) {
        const inquired = await rail.inquire(one.referenceNo, timeout());
        assert.equal(kindOf(inquired ?? (await rail.submit(one, timeout(), confirmed))), "settled");
      }
      assert.equal(await carriedOf(side, [...copies, ...later]), 1);
    });
  });

  test("a rail that is asked says of a key that it has it under another number, and of no other key", () =>
    withRail(side, async (rail) => {
      const first = settles();
      await rail.submit(first, timeout(), confirmed);
      const has = (one: Instruction) => rail.hasUnderOtherNumber?.(one, timeout()) ?? assert.fail("it cannot be asked");
      assert.equal(await has(first), false);
      assert.equal(await has({ ...first, referenceNo: settles().referenceNo }), true);
      assert.equal(await has(settles()), false);
    }));

  test("other content under a known key is an error, and carries nothing", () =>
    withRail(side, async (rail) => {
      const first = settles();
      await rail.submit(first, timeout(), confirmed);
      const other = { ...settles(), idempotencyKey: first.idempotencyKey, amount: "150000.01" };
      const isError = (error: unknown) => error instanceof Error && !(error instanceof RailDown);
      await assert.rejects(rail.submit(other, timeout(), confirmed), isError);
      assert.equal(await carriedOf(side, [first, other]), 1);
    }));
}

/** Number of times that the other side has each of them. */
async function carriedOf(side: OtherSide, instructions: readonly Instruction[]): Promise<number> {
  const counts = await Promise.all(instructions.map(({ referenceNo }) => side.carried(referenceNo)));
  return counts.reduce((sum, count) => sum + count, 0);
}

export function testInquiries(side: OtherSide): void {
  const settles = () => instructionTo(side.accountOf("settled"));

  test("an inquiry knows what was submitted, and nothing else", () =>
    withRail(side, async (rail) => {
      const known = settles();
      const unknown = settles();
      const state = await rail.submit(known, timeout(), confirmed);
      assert.deepEqual(await rail.inquire(known.referenceNo, timeout()), state);
      assert.equal(await rail.inquire(unknown.referenceNo, timeout()), undefined);
    }));

  test("what an inquiry does not know never arrives, however its submission was given up", async () => {
    const rail = await side.open();
    const inquired = new Map<string, number>();
    for (let round = 0; round < 40; round += 1) {
      const instruction = settles();
      const enough = new AbortController();
      const submitted = rail.submit(instruction, enough.signal, confirmed).catch(() => undefined);
      for (let turn = 0; turn < round % 10; turn += 1) await setImmediate();
      enough.abort();
      await submitted;
      const state = await rail.inquire(instruction.referenceNo, timeout());
      inquired.set(instruction.referenceNo, state === undefined ? 0 : 1);
    }
    await rail.close();
    for (const [referenceNo, count] of inquired) assert.equal(await side.carried(referenceNo), count);
  });

  test("a rejection is returned as one, with its reason", () =>
    withRail(side, async (rail) => {
      const instruction = instructionTo(side.accountOf("rejected"));
      await submitPending(side, rail, instruction);
      await side.end();
      const state = await rail.inquire(instruction.referenceNo, timeout());
      assert.equal(state?.kind === "rejected" ? state.rejection : kindOf(state), "beneficiaryInactive");
    }));
}
