/** Goal: each mode behaves as the sandbox's interface says, on every node, and through a move of the clock. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { abortable } from "../../../packages/server/src/rails/abortable.ts";
import { RailDown } from "../../../packages/server/src/rails/rail.ts";
import type { SimulatedMode } from "../../../packages/sandbox/src/rails/modes.ts";
import { eventually } from "../../support/black-box/answers.ts";
import { type OpenSimulated, openSimulated } from "../contract/open-rail.ts";
import { timeout } from "../contract/other-side.ts";
import { advance, isSilent, startNodes, takeAll, toOutcome } from "./simulated-node.ts";
import { useDatabase } from "../../support/database/database.ts";
import { confirmed } from "../../support/confirmed-commit.ts";

const nodes = await startNodes(2);
const [one, two] = nodes as readonly [OpenSimulated, OpenSimulated];
const { interbank, rtgs, skn } = one.rails;

/** The mode on both nodes: the other follows within 2 s. */
async function setMode(mode: SimulatedMode): Promise<void> {
  await one.control.setMode("interbank", mode);
  assert.equal(await one.control.mode("interbank"), mode);
  await eventually(async () => (await two.control.mode("interbank")) === mode, 10);
}

test("in mode normal an answer takes 20 ms, and its end is no result besides", async () => {
  const first = toOutcome("success");
  await interbank.submit(first, timeout(), confirmed);
  const took: number[] = [];
  for (let count = 0; count < 20; count += 1) {
    const before = performance.now();
    assert.equal((await interbank.submit(toOutcome("success"), timeout(), confirmed)).kind, "settled");
    took.push(performance.now() - before);
  }
  // On a machine that does nothing else all of them; how busy this one is says nothing of the rail.
  assert.ok(Math.min(...took) < 20, `the fastest took ${Math.min(...took)} ms`);
  assert.equal((await two.rails.interbank.inquire(first.referenceNo, timeout()))?.kind, "settled");
  assert.deepEqual(await takeAll(interbank), []);
});

test("in mode slow every answer takes 15 s of business time, and the end is a result too", async () => {
  await setMode("slow");
  const instruction = toOutcome("success");
  const answers = Promise.all([
    interbank.submit(instruction, timeout(), confirmed),
    two.rails.interbank.inquireBeneficiary("014", "1", timeout()),
  ]);
  assert.equal(await isSilent((signal) => two.rails.interbank.submit(instruction, signal, confirmed)), true);
  advance(nodes, 14.999);
  assert.equal(await isSilent((signal) => abortable(answers, signal)), true);
  assert.deepEqual(await takeAll(interbank), []);
  advance(nodes, 0.001);
  const [state, beneficiary] = await answers;
  assert.deepEqual([state.kind, beneficiary.kind], ["settled", "found"]);
  assert.deepEqual(await takeAll(two.rails.interbank), [`${instruction.referenceNo} settled`]);
  await setMode("normal");
});

test("in mode limbo nothing is answered, and what it has is inquired about when it recovers", async () => {
  await setMode("limbo");
  const [late, given] = [toOutcome("success"), toOutcome("rejected")];
  const waiting = interbank.submit(late, timeout(), confirmed);
  for (const rail of [interbank, two.rails.interbank]) {
    assert.equal(await isSilent((signal) => rail.submit(given, signal, confirmed)), true);
    assert.equal(await isSilent((signal) => rail.inquire(given.referenceNo, signal)), true);
    assert.equal(await isSilent((signal) => rail.inquireBeneficiary("014", "1", signal)), true);
  }
  advance(nodes, 86_400);
  assert.deepEqual([await interbank.waiting(), await one.control.due()], [0, 0]);
  await two.control.setMode("interbank", "normal");
  assert.equal((await waiting).kind, "settled");
  assert.deepEqual(
    (await takeAll(interbank)).toSorted(),
    [`${late.referenceNo} settled`, `${given.referenceNo} rejected`].toSorted(),
  );
  assert.equal((await two.rails.interbank.inquire(given.referenceNo, timeout()))?.kind, "rejected");
});

test("an instruction that arrives as limbo ends is inquired about by the rail's next run", async () => {
  for (let round = 0; round < 4; round += 1) {
    await setMode("limbo");
    const instructions = Array.from({ length: 5 }, () => toOutcome("success"));
    const submitted = instructions.map((instruction) => two.rails.interbank.submit(instruction, timeout(), confirmed));
    await one.control.setMode("interbank", "normal");
    for (const state of await Promise.all(submitted)) assert.equal(state.kind, "settled");
    await takeAll(interbank);
  }
});

test("recovering into slow, limbo ends 15 s later", async () => {
  await setMode("limbo");
  const instruction = toOutcome("success");
  assert.equal(await isSilent((signal) => interbank.submit(instruction, signal, confirmed)), true);
  await setMode("slow");
  advance(nodes, 14.999);
  assert.deepEqual(await takeAll(interbank), []);
  advance(nodes, 0.001);
  assert.deepEqual(await takeAll(interbank), [`${instruction.referenceNo} settled`]);
  await setMode("normal");
});

test("in mode down every call fails at once, and results wait", async () => {
  const slow = toOutcome("slowSuccess");
  assert.equal(await isSilent((signal) => interbank.submit(slow, signal, confirmed)), true);
  await setMode("down");
  advance(nodes, 60);
  const instruction = toOutcome("success");
  for (const rail of [interbank, two.rails.interbank]) {
    await assert.rejects(rail.submit(instruction, timeout(), confirmed), RailDown);
    await assert.rejects(rail.inquire(instruction.referenceNo, timeout()), RailDown);
    await assert.rejects(rail.inquireBeneficiary("014", "1", timeout()), RailDown);
    assert.deepEqual([await rail.results(10), await rail.waiting()], [[], 0]);
  }
  await setMode("normal");
  assert.equal(await interbank.inquire(instruction.referenceNo, timeout()), undefined);
  assert.deepEqual(await takeAll(interbank), [`${slow.referenceNo} settled`]);
});

test("a rail that goes down cuts off who waits for it, and whether it got that is open", async () => {
  await setMode("slow");
  const instruction = toOutcome("success");
  const cutOff = assert.rejects(
    interbank.submit(instruction, timeout(), confirmed),
    (error) => error instanceof Error && !(error instanceof RailDown),
  );
  await eventually(() => isSilent((signal) => two.rails.interbank.inquire(instruction.referenceNo, signal), 50), 1);
  await setMode("down");
  await cutOff;
  await setMode("normal");
  advance(nodes, 15);
  assert.deepEqual(await takeAll(interbank), [`${instruction.referenceNo} settled`]);
});

test("the mode of one rail is none of another's", async () => {
  await setMode("down");
  assert.equal((await rtgs.submit(toOutcome("success"), timeout(), confirmed)).kind, "settled");
  assert.equal((await skn.submit(toOutcome("success"), timeout(), confirmed)).kind, "pending");
  await setMode("normal");
});

test("a mode is there for a node that starts later", async () => {
  const database = await useDatabase();
  const first = openSimulated(database.url);
  assert.equal(await first.control.mode("skn"), "normal");
  await first.control.setMode("skn", "limbo");
  await first.close();
  const second = openSimulated(database.url);
  assert.deepEqual([await second.control.mode("skn"), await second.control.mode("rtgs")], ["limbo", "normal"]);
  await second.close();
  await database.drop();
});

test("a closed rail lets nobody wait", async () => {
  const database = await useDatabase();
  const node = openSimulated(database.url);
  await node.control.setMode("interbank", "limbo");
  const waiting = assert.rejects(node.rails.interbank.inquire("A", timeout()), /closed/);
  await node.close();
  await waiting;
  await database.drop();
});
