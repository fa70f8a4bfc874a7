/** Repeats of 18 that meet the moment in which its rail refuses it within the call (decisions D7, D11), by plain HTTP. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, type Json, newNumber } from "../support/black-box/caller.ts";
import { interbank, moneyOf, railBody, startRailScene } from "../support/black-box/rail-scene.ts";
import { expectCode } from "../support/black-box/transfers.ts";

const scene = await startRailScene();
after(() => scene[Symbol.asyncDispose]());
const { alpha, control } = scene;
await scene.moveTo(scene.at(0, "10:00:01"));

const rounds = 25;
/** They arrive 2 ms after one another: the rail answers within 20 ms. */
const repeats = 16;
const apartMs = 2;

const payer = await scene.newPayer();
const body = (): Json => railBody(interbank, payer, { beneficiaryAccountNo: scene.accountOf("unknownBeneficiary") });

/** A call, and repeats of it as they are made by `repeat`, while the rail is about to refuse it. */
async function meet(repeat: (first: Json, externalId: string) => Promise<Answer>): Promise<readonly Answer[]> {
  const first = body();
  const externalId = newNumber();
  const calls = [alpha.call(interbank.path, first, { externalId })];
  for (let sent = 0; sent < repeats; sent += 1) {
    await sleep(apartMs);
    calls.push(repeat(first, externalId));
  }
  return Promise.all(calls);
}

/** Told of an end that had freed id and number, a caller would take both for taken, and the refusal for final. */
function expectUnderWayOrRefused(answer: Answer, repeated: string): void {
  if (answer.code === "4041811") return;
  expectCode(answer, repeated);
  const { originalResponse, latestTransactionStatus } = answer.body["additionalInfo"] as Json;
  assert.deepEqual([(originalResponse as Json)["responseCode"], latestTransactionStatus], ["2021800", "02"]);
}

test("no repeat is told the end of a call that its rail refuses within the call: it is under way, or refused anew", async () => {
  const moved = await scene.watch("interbank", payer);
  for (let round = 0; round < rounds; round += 1) {
    const answers = await meet((first, externalId) => alpha.call(interbank.path, first, { externalId }));
    for (const answer of answers) expectUnderWayOrRefused(answer, "4091800");
  }
  assert.deepEqual(await moved(), moneyOf(interbank).none);
});

test("nor is the same number under a new id", async () => {
  const moved = await scene.watch("interbank", payer);
  for (let round = 0; round < rounds; round += 1) {
    const answers = await meet((first) => alpha.call(interbank.path, first));
    for (const answer of answers) expectUnderWayOrRefused(answer, "4091801");
  }
  assert.deepEqual(await moved(), moneyOf(interbank).none);
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
