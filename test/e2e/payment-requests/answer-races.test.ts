/** The short form of `npm run torture -- payment-requests`. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { createAnswerRaces, type Race } from "./answer-races.ts";

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const fixture = stack.use(await startRailFixture());
await fixture.moveTo(fixture.at(0, "10:00:01"));
const second = stack.use(await fixture.sandbox.startNode());
const races = await createAnswerRaces(fixture, second.baseUrl);
/** All rounds at once: each has a payer of its own. */
const eachRound = async (race: Race) => void (await Promise.all(Array.from({ length: 12 }, (_, round) => race(round))));

test("approvals on both nodes: one is recorded and pays once, and the others are the same answer", () =>
  eachRound(races.approvals));

test("an approval and a decline: the first is final, and money moves only for an approval", () =>
  eachRound(races.approvalAndDecline));

test("approvals while the request's time passes: paid once, or expired and nothing moved", () =>
  eachRound(races.approvalAndExpiry));

test("two approvals from an account that has money for one: the other is rejected, and waits", async () => {
  await eachRound(races.moneyForOne);
  assert.deepEqual(await fixture.control.audit(), { ok: true, findings: [] });
});
