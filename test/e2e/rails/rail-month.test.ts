/** Thirty days at once, with hundreds of transfers under way on all rails (spec D11, D18): nothing is missed, and the call says so in time. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Answer, newNumber } from "../../support/black-box/caller.ts";
import { moneyAt, moneyOf, type RailMoney } from "../../support/black-box/rails/rail-money.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { interbank, type RailService, railServices, rtgs, skn } from "../../support/black-box/rails/rail-services.ts";
import { expectStatus, railBody } from "../../support/black-box/rails/rail-transfers.ts";

const fixture = await startRailFixture({ TITIAN_INTERBANK_WAIT_SECONDS: "1" });
after(() => fixture[Symbol.asyncDispose]());
const { alpha, control } = fixture;
const days = 86_400;
await fixture.moveTo(fixture.at(0, "10:00:01"));

const ends: Readonly<Record<string, string>> = { limbo: "03", returnedAfterSettlement: "04", rejected: "06" };
const places = { "00": "settled", "03": "inTransit", "04": "returned", "06": "none" } as const;

interface Sent {
  readonly service: RailService;
  readonly answer: Answer;
  /** End of it: 00 where the account is none of the scenarios'. */
  readonly end: keyof typeof places;
}

/** Sends so many at once, each to an account of one of the outcomes in turn. */
async function sendMany(service: RailService, count: number, outcomes: readonly string[]): Promise<readonly Sent[]> {
  const payer = await fixture.newPayer("900000000000.00");
  return Promise.all(
    Array.from({ length: count }, async (_, position) => {
      const outcome = outcomes[position % outcomes.length] ?? "success";
      const body = railBody(service, payer, { beneficiaryAccountNo: fixture.accountOf(outcome) });
      const answer = await alpha.call(service.path, body, { externalId: newNumber() });
      assert.ok([200, 202].includes(answer.status), answer.text);
      return { service, answer, end: (ends[outcome] ?? "00") as Sent["end"] };
    }),
  );
}

async function expectEnds(sent: readonly Sent[]): Promise<void> {
  await Promise.all(sent.map(({ service, answer, end }) => expectStatus(alpha, service, answer, end)));
}

/** Sum that all of them together have added to the rails' accounts. */
async function expectMoney(sent: readonly Sent[]): Promise<void> {
  const anyone = await fixture.newPayer();
  for (const service of railServices) {
    const { payer: _, ...now } = await moneyAt(control, service.rail, anyone);
    const moved = sent.filter((one) => one.service === service).map(({ end }) => moneyOf(service)[places[end]]);
    const sum = (name: keyof RailMoney) => moved.reduce((total, money) => total + money[name], 0n);
    assert.deepEqual(now, { suspense: sum("suspense"), clearing: sum("clearing"), fee: sum("fee") }, service.rail);
  }
}

/** Advances thirty days; answers what was left, and asserts that the call took no longer than it may. */
async function advanceMonth(): Promise<{ readonly pending: number; readonly lasted: number }> {
  const startedAt = performance.now();
  const pending = await fixture.advance(30 * days);
  const lasted = performance.now() - startedAt;
  assert.ok(lasted < 33_000, `${lasted} ms`);
  return { pending, lasted };
}

const all: Sent[] = [];

test("a month passes over 500 transfers in a batch, slow, silent, returning, rejected, and for a rail that is down", async (t) => {
  await fixture.setMode("interbank", "slow");
  all.push(...(await sendMany(interbank, 100, ["success", "rejected", "returnedAfterSettlement"])));
  await fixture.setMode("interbank", "normal");
  await fixture.setMode("rtgs", "down");
  all.push(...(await sendMany(rtgs, 100, ["success", "rejected", "returnedAfterSettlement"])));
  all.push(...(await sendMany(skn, 300, ["success", "rejected", "limbo", "returnedAfterSettlement", "slowSuccess"])));
  await fixture.setMode("rtgs", "normal");
  const { pending, lasted } = await advanceMonth();
  t.diagnostic(`${Math.round(lasted)} ms`);
  assert.equal(pending, 0);
  await expectEnds(all);
  await expectMoney(all);
});

test("a month passes while one rail is silent: the others go on, and what is left is done when it answers again", async (t) => {
  // A Wednesday, wherever the month ended; the week ahead has its only holiday behind it.
  await fixture.moveTo(fixture.at(37, "10:00:01"));
  await fixture.setMode("interbank", "limbo");
  await fixture.setMode("rtgs", "down");
  const silent = await sendMany(interbank, 20, ["success"]);
  const others = [...(await sendMany(rtgs, 20, ["success"])), ...(await sendMany(skn, 100, ["success"]))];
  await fixture.setMode("rtgs", "normal");
  const { pending, lasted } = await advanceMonth();
  t.diagnostic(`${Math.round(lasted)} ms`);
  assert.equal(pending, 0, "the silent rail is asked, and nothing more can be done about its transfers for now");
  await expectEnds(others);
  await Promise.all(silent.map(({ answer }) => expectStatus(alpha, interbank, answer, "02")));
  await fixture.setMode("interbank", "normal");
  assert.equal(await fixture.advance(600), 0);
  all.push(...silent, ...others);
  await expectEnds(all);
  await expectMoney(all);
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
