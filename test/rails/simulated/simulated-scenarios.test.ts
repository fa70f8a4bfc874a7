/** Goal: what becomes of an instruction goes by its account on every rail, and the sandbox may hurry it. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type BeneficiaryAnswer, type RailState } from "../../../packages/server/src/rails/rail.ts";
import { listScenarios, type Outcome } from "../../../packages/sandbox/src/rails/scenarios.ts";
import type { OpenSimulated } from "../contract/open-rail.ts";
import { instructionTo, timeout } from "../contract/other-side.ts";
import { advance, isSilent, startNodes, takeAll, toOutcome } from "./simulated-node.ts";
import { accountOf } from "./simulated-side.ts";
import { confirmed } from "../../support/confirmed-commit.ts";

const nodes = await startNodes(2);
const [one, two] = nodes as readonly [OpenSimulated, OpenSimulated];
const { interbank, rtgs, skn } = one.rails;

const nameOfState = (state: RailState | undefined) =>
  state?.kind === "rejected" ? state.rejection : (state?.kind ?? "unknown");

suite("skn", () => {
  test("keeps all until the next settlement, and then tells the ends", async () => {
    const settles = toOutcome("success");
    const isRejected = toOutcome("beneficiaryDormant");
    const comesBack = toOutcome("returnedAfterSettlement");
    for (const instruction of [settles, isRejected, comesBack]) {
      assert.equal((await skn.submit(instruction, timeout(), confirmed)).kind, "pending");
    }
    // It is 10:00, and the next settlement at 16:00.
    advance(nodes, 6 * 3_600 - 0.001);
    assert.deepEqual([await takeAll(skn), await skn.waiting()], [[], 0]);
    advance(nodes, 0.001);
    assert.equal(await one.control.due(), 3);
    advance(nodes, 60);
    assert.equal(await two.control.due(), 4);
    assert.deepEqual(
      (await takeAll(two.rails.skn)).toSorted(),
      [
        `${settles.referenceNo} settled`,
        `${isRejected.referenceNo} rejected`,
        `${comesBack.referenceNo} settled`,
        `${comesBack.referenceNo} returned`,
      ].toSorted(),
    );
  });

  test("settles at once what waits on request, in any mode", async () => {
    const outcomes: readonly Outcome[] = ["success", "rejected", "slowSuccess", "limbo"];
    const waiting = outcomes.map(toOutcome);
    for (const instruction of waiting.slice(0, 2)) await skn.submit(instruction, timeout(), confirmed);
    await one.control.setMode("skn", "limbo");
    for (const instruction of waiting.slice(2)) {
      assert.equal(await isSilent((signal) => skn.submit(instruction, signal, confirmed)), true);
    }
    assert.equal(await two.control.settle("skn"), 3);
    assert.equal(await two.control.settle("skn"), 0);
    const [settles, isRejected, slow] = waiting.map(({ referenceNo }) => referenceNo);
    assert.deepEqual(
      (await takeAll(skn)).toSorted(),
      [`${settles} settled`, `${isRejected} rejected`, `${slow} settled`].toSorted(),
    );
    await one.control.setMode("skn", "normal");
    assert.deepEqual(await takeAll(skn), []);
  });

  test("settling one rail leaves the others alone", async () => {
    const instruction = toOutcome("success");
    await skn.submit(instruction, timeout(), confirmed);
    assert.equal(await one.control.settle("rtgs"), 0);
    assert.equal(nameOfState(await skn.inquire(instruction.referenceNo, timeout())), "pending");
    assert.equal(await one.control.settle("skn"), 1);
    await takeAll(skn);
  });
});

suite("rails that settle at once", () => {
  for (const rail of [interbank, rtgs]) {
    test(`${rail.name} answers each rejection, and success, within the call`, async () => {
      for (const { outcome, beneficiaryAccountNo } of listScenarios()) {
        if (outcome === "slowSuccess" || outcome === "limbo") continue;
        const state = await rail.submit(instructionTo(beneficiaryAccountNo), timeout(), confirmed);
        const settles = outcome === "success" || outcome === "returnedAfterSettlement";
        assert.equal(nameOfState(state), settles ? "settled" : outcome);
      }
      advance(nodes, 60);
      await takeAll(rail);
    });

    test(`${rail.name} settles for an account of no scenario`, async () => {
      assert.equal((await rail.submit(instructionTo("5550001234"), timeout(), confirmed)).kind, "settled");
    });

    test(`${rail.name} answers of slowSuccess 15 s later, and an inquiry meanwhile that it is pending`, async () => {
      const instruction = toOutcome("slowSuccess");
      const answer = rail.submit(instruction, timeout(), confirmed);
      assert.equal(await isSilent((signal) => rail.submit(instruction, signal, confirmed)), true);
      assert.equal(nameOfState(await rail.inquire(instruction.referenceNo, timeout())), "pending");
      advance(nodes, 15);
      assert.equal((await answer).kind, "settled");
      assert.deepEqual(await takeAll(rail), [`${instruction.referenceNo} settled`]);
    });

    test(`${rail.name} brings back by itself 60 s after settlement`, async () => {
      const instruction = toOutcome("returnedAfterSettlement");
      assert.equal((await rail.submit(instruction, timeout(), confirmed)).kind, "settled");
      assert.deepEqual(await takeAll(rail), []);
      advance(nodes, 60);
      assert.equal(await one.control.due(), 1);
      assert.equal(nameOfState(await rail.inquire(instruction.referenceNo, timeout())), "returned");
      assert.deepEqual(await takeAll(rail), [`${instruction.referenceNo} returned`]);
    });

    test(`${rail.name} never ends limbo, neither by time nor by a request to settle`, async () => {
      const instruction = toOutcome("limbo");
      assert.equal((await rail.submit(instruction, timeout(), confirmed)).kind, "pending");
      advance(nodes, 86_400 * 400);
      assert.equal(await one.control.settle(rail.name), 0);
      assert.equal(nameOfState(await rail.inquire(instruction.referenceNo, timeout())), "pending");
      assert.deepEqual(await takeAll(rail), []);
      assert.equal(await one.control.returnNow(instruction.referenceNo), "notSettled");
    });
  }
});

suite("a return that is asked for", () => {
  test("brings back what settled once, on either node, of two at once as well", async () => {
    const instruction = toOutcome("success");
    await interbank.submit(instruction, timeout(), confirmed);
    const asked = await Promise.all(
      [one, two, one, two].map(({ control }) => control.returnNow(instruction.referenceNo)),
    );
    assert.deepEqual(asked.toSorted(), ["alreadyReturned", "alreadyReturned", "alreadyReturned", "returned"]);
    assert.deepEqual(await takeAll(interbank), [`${instruction.referenceNo} returned`]);
    assert.equal(await one.control.returnNow(instruction.referenceNo), "alreadyReturned");
  });

  test("comes before the one that was to come by itself, which does not come again", async () => {
    const instruction = toOutcome("returnedAfterSettlement");
    await interbank.submit(instruction, timeout(), confirmed);
    assert.equal(await one.control.returnNow(instruction.referenceNo), "returned");
    assert.deepEqual(await takeAll(interbank), [`${instruction.referenceNo} returned`]);
    advance(nodes, 120);
    assert.deepEqual(await takeAll(interbank), []);
  });

  test("is not for what was rejected, is pending, or is not there", async () => {
    const [isRejected, isPending] = [toOutcome("rejected"), toOutcome("success")];
    await interbank.submit(isRejected, timeout(), confirmed);
    await skn.submit(isPending, timeout(), confirmed);
    assert.equal(await one.control.returnNow(isRejected.referenceNo), "notSettled");
    assert.equal(await one.control.returnNow(isPending.referenceNo), "notSettled");
    assert.equal(await one.control.returnNow("NOWHERE"), "unknown");
  });
});

test("an inquiry about a beneficiary goes by the account too", async () => {
  const ask = (accountNo: string) => interbank.inquireBeneficiary("014", accountNo, timeout());
  const found = (name: string): BeneficiaryAnswer => ({ kind: "found", name, currency: "IDR" });
  assert.deepEqual(await ask(accountOf("success")), found("Ratna Kusuma"));
  assert.deepEqual(await ask(accountOf("beneficiaryDormant")), found("Endang Suryani"));
  assert.deepEqual(await ask(accountOf("unknownBeneficiary")), { kind: "unknown" });
  assert.deepEqual(await ask(accountOf("beneficiaryInactive")), { kind: "closed" });
  const other = await ask("5550001234");
  assert.deepEqual(await two.rails.interbank.inquireBeneficiary("014", "5550001234", timeout()), other);
  assert.equal(other.kind, "found");
});

test("a number of one rail is an error on another", async () => {
  const instruction = toOutcome("success");
  await interbank.submit(instruction, timeout(), confirmed);
  await assert.rejects(rtgs.submit(instruction, timeout(), confirmed), /has a different instruction/);
  await assert.rejects(rtgs.inquire(instruction.referenceNo, timeout()), /of the rail interbank, not rtgs/);
});
