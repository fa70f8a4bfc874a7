/** The part of a rail's contract that is about calls given up, a rail that is down, and bad answers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RailDown, type RailState } from "../../../packages/server/src/rails/rail.ts";
import { submitPending, instructionTo, kindOf, type OtherSide, timeout, textsOf, withRail } from "./other-side.ts";
import { confirmed } from "../../support/confirmed-commit.ts";

export function testFaults(side: OtherSide): void {
  const settles = () => instructionTo(side.accountOf("settled"));

  test("an aborted call ends at once with the signal's reason, or has its answer", () =>
    withRail(side, async (rail) => {
      await side.silence();
      const reason = new Error("given up");
      const [early, late] = [settles(), settles()];
      await assert.rejects(rail.submit(early, AbortSignal.abort(reason), confirmed), reason);
      assert.equal(await side.carried(early.referenceNo), 0);
      const calls = [
        (signal: AbortSignal) => rail.submit(late, signal, confirmed),
        (signal: AbortSignal) => rail.inquire(late.referenceNo, signal),
        (signal: AbortSignal) => rail.inquireBeneficiary("014", side.accountOf("settled"), signal),
      ];
      for (const call of calls) {
        await assert.rejects(call(AbortSignal.abort(reason)), reason);
        const before = Date.now();
        const signal = AbortSignal.timeout(30);
        const isWell = await call(signal).then(
          () => true,
          (error: unknown) => error === signal.reason,
        );
        assert.equal(isWell, true);
        assert.ok(Date.now() - before < 5_000, "it did not give up");
      }
    }));

  test("a rail that is down got nothing, for certain", async () => {
    const [before, meanwhile] = [settles(), settles()];
    const rail = await side.open();
    await rail.submit(before, timeout(), confirmed);
    const mend = await side.cut();
    await assert.rejects(rail.submit(meanwhile, timeout(), confirmed), RailDown);
    await mend();
    await rail.close();
    await withRail(side, async (next) => {
      assert.equal(await next.inquire(meanwhile.referenceNo, timeout()), undefined);
      assert.notEqual(await next.inquire(before.referenceNo, timeout()), undefined);
      assert.equal(await side.carried(meanwhile.referenceNo), 0);
      await next.submit(meanwhile, timeout(), confirmed);
      assert.equal(await side.carried(meanwhile.referenceNo), 1);
    });
    await assert.rejects(rail.submit(settles(), timeout(), confirmed), RailDown);
  });

  test("what the other side says and nobody understands ends nothing, and holds up nothing", () =>
    withRail(side, async (rail) => {
      const [spoilt, sound] = [settles(), settles()];
      await submitPending(side, rail, spoilt);
      await side.misreport(spoilt.referenceNo);
      await submitPending(side, rail, sound);
      await side.end();
      assert.deepEqual(textsOf(await rail.results(1)), [`${sound.referenceNo} settled`]);
      const said = await rail.inquire(spoilt.referenceNo, timeout()).catch((error: unknown) => error);
      assert.ok(said instanceof Error || kindOf(said as RailState) === "pending");
      assert.equal(await side.carried(spoilt.referenceNo), 1);
    }));
}
