/** When rails take transfers, when SKNBI settles them, and who waits for a response (spec D6, D11, D18), by plain HTTP and a clock that is moved. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eventually } from "../../support/black-box/answers.ts";
import type { Answer } from "../../support/black-box/caller.ts";
import { moneyOf } from "../../support/black-box/rails/rail-money.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { interbank, type RailService, railServices, rtgs, skn } from "../../support/black-box/rails/rail-services.ts";
import { expectStatus, railBody, untilStatus } from "../../support/black-box/rails/rail-transfers.ts";
import { expectCode, idr } from "../../support/black-box/transfers.ts";

const fixture = await startRailFixture();
after(() => fixture[Symbol.asyncDispose]());
const { alpha, control } = fixture;
const { accountNo: dormant = "" } =
  fixture.sandbox.file.accounts.find(
    ({ accountNo, status }) => status === "dormant" && alpha.partner.sourceAccounts.includes(accountNo),
  ) ?? {};

const closed = (service: RailService) => `403${service.service}06`;
const accepted = (service: RailService) => `200${service.service}00`;

/** All three services at once: those with hours are answered so, 18 always goes through. */
async function expectOpen(isOpen: boolean): Promise<void> {
  const payer = await fixture.newPayer();
  for (const service of railServices) {
    const moved = await fixture.watch(service.rail, payer);
    const goes = isOpen || service === interbank;
    const answer = await fixture.send(service, payer, {}, goes ? accepted(service) : closed(service));
    if (goes) continue;
    assert.equal(answer.message, "Feature Not Allowed At This Time. [Rail closed until 06:30]");
    assert.deepEqual(await moved(), moneyOf(service).none);
    const found = await expectStatus(alpha, service, answer, "06");
    assert.equal(found.body["previousResponseCode"], closed(service));
  }
}

test("RTGS and SKNBI are open from 06:30 to 16:30 on working days, 18 always; hours come after state and before amount", async () => {
  // Ten seconds before each change, and at it: a request is decided within them.
  await fixture.moveTo(fixture.at(0, "00:00:00"));
  await expectOpen(false);
  await fixture.moveTo(fixture.at(0, "06:29:50"));
  await expectOpen(false);
  for (const service of [rtgs, skn]) {
    const zero = { amount: idr("0.00") };
    expectCode(await alpha.call(service.path, railBody(service, dormant)), `403${service.service}09`);
    expectCode(
      await alpha.call(service.path, railBody(service, await fixture.newPayer("0.00"), zero)),
      closed(service),
    );
    const nowhere = { beneficiaryBankCode: "998" };
    expectCode(await alpha.call(service.path, railBody(service, dormant, nowhere)), `404${service.service}03`);
  }
  await fixture.moveTo(fixture.at(0, "06:30:00"));
  await expectOpen(true);
  await fixture.moveTo(fixture.at(0, "16:29:45"));
  await expectOpen(true);
  await fixture.moveTo(fixture.at(0, "16:30:00"));
  await expectOpen(false);
  await fixture.moveTo(fixture.at(1, "12:00:00"));
  await expectOpen(true);
  // The holiday.
  await fixture.moveTo(fixture.at(2, "12:00:00"));
  await expectOpen(false);
});

test("a rejected call is decided afresh once the rail is open, under the same id and number", async () => {
  const payer = await fixture.newPayer();
  for (const service of [rtgs, skn]) {
    const body = railBody(service, payer);
    const externalId = `HOURS-${service.service}`;
    expectCode(await alpha.call(service.path, body, { externalId }), closed(service));
    await fixture.moveTo(fixture.at(service === rtgs ? 3 : 4, "07:00:00"));
    expectCode(await alpha.call(service.path, body, { externalId }), accepted(service));
    await fixture.moveTo(fixture.at(service === rtgs ? 3 : 4, "20:00:00"));
  }
});

test("Saturday and Sunday are closed, Monday is open", async () => {
  for (const [day, isOpen] of [
    [5, false],
    [6, false],
    [7, true],
  ] as const) {
    await fixture.moveTo(fixture.at(day, "06:30:00"));
    await expectOpen(isOpen);
  }
});

/** Sends by 23 from a payer of its own, and moves to a second before and to the time it must settle. */
async function expectSettledAt(sentAt: string, before: string, settledAt: string): Promise<void> {
  await fixture.moveTo(sentAt);
  const payer = await fixture.newPayer();
  const moved = await fixture.watch("skn", payer);
  const answer: Answer = await fixture.send(skn, payer, {}, "2002300");
  await fixture.moveTo(before);
  await expectStatus(alpha, skn, answer, "03");
  assert.deepEqual(await moved(), moneyOf(skn).inTransit);
  assert.equal(await fixture.moveTo(settledAt), 0);
  await expectStatus(alpha, skn, answer, "00");
  assert.deepEqual(await moved(), moneyOf(skn).settled);
}

test("SKNBI settles at its nine times of a working day", async () => {
  const at = (day: number, time: string) => fixture.at(8 + day, time);
  await expectSettledAt(at(0, "06:30:00"), at(0, "07:59:50"), at(0, "08:00:00"));
  for (const hour of [8, 9, 10, 11, 12, 13, 14]) {
    const from = String(hour).padStart(2, "0");
    const to = String(hour + 1).padStart(2, "0");
    await expectSettledAt(at(0, `${from}:00:01`), at(0, `${from}:59:50`), at(0, `${to}:00:00`));
  }
  await expectSettledAt(at(0, "15:00:01"), at(0, "16:44:50"), at(0, "16:45:00"));
  // Taken until 16:30, settled the same day.
  await expectSettledAt(at(1, "16:29:30"), at(1, "16:44:50"), at(1, "16:45:00"));
});

test("what reaches SKNBI after the last settlement waits over night, over the weekend, over a holiday", async () => {
  // Accepted while the rail is down, it is submitted when that is back: of the third week, whose days all are working days.
  const waits: readonly (readonly [day: number, settledOn: number])[] = [
    [14, 15],
    [18, 21],
  ];
  for (const [day, settledOn] of waits) {
    await fixture.moveTo(fixture.at(day, "16:29:30"));
    await fixture.setMode("skn", "down");
    const payer = await fixture.newPayer();
    const moved = await fixture.watch("skn", payer);
    const answer = await fixture.send(skn, payer, {}, "2002300");
    await fixture.moveTo(fixture.at(day, "17:00:00"));
    await untilStatus(alpha, skn, answer, "01");
    await fixture.setMode("skn", "normal");
    await expectStatus(alpha, skn, answer, "03");
    await fixture.moveTo(fixture.at(settledOn, "07:59:50"));
    await expectStatus(alpha, skn, answer, "03");
    assert.deepEqual(await moved(), moneyOf(skn).inTransit);
    assert.equal(await fixture.moveTo(fixture.at(settledOn, "08:00:00")), 0);
    await expectStatus(alpha, skn, answer, "00");
    assert.deepEqual(await moved(), moneyOf(skn).settled);
  }
});

test("18 to an account that takes 15 s is answered 200 when they have passed before its caller has waited enough", async () => {
  const payer = await fixture.newPayer();
  const moved = await fixture.watch("interbank", payer);
  const sending = fixture.send(interbank, payer, { beneficiaryAccountNo: fixture.accountOf("slowSuccess") }, "2001800");
  await eventually(async () => (await moved()).suspense !== 0n, 20);
  await fixture.advance(16);
  const answer = await sending;
  assert.match(String(answer.body["traceNo"]), /^[!-~]{1,16}$/);
  assert.deepEqual(await moved(), moneyOf(interbank).settled);
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
