/** Rails that are slow, silent or down (spec D11), by plain HTTP and a clock that is moved: nothing is lost, done twice, or decided by a timer. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Answer, type Json, newNumber } from "../../support/black-box/caller.ts";
import { moneyOf } from "../../support/black-box/rails/rail-money.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { interbank, type RailService, railServices, rtgs, skn } from "../../support/black-box/rails/rail-services.ts";
import { expectStatus, railBody, untilStatus } from "../../support/black-box/rails/rail-transfers.ts";
import { expectCode } from "../../support/black-box/transfers.ts";

const fixture = await startRailFixture({ TITIAN_INTERBANK_WAIT_SECONDS: "1" });
after(() => fixture[Symbol.asyncDispose]());
const { alpha, control } = fixture;
await fixture.moveTo(fixture.at(0, "07:00:00"));

const codeOf = (service: RailService) => (service === interbank ? "2021800" : `200${service.service}00`);

/** A transfer that was sent, with all it takes to send it again and to see its money. */
async function begin(service: RailService, more: Json = {}, code = codeOf(service)) {
  const payer = await fixture.newPayer();
  const moved = await fixture.watch(service.rail, payer);
  const body = railBody(service, payer, more);
  const externalId = newNumber();
  const answer = await alpha.call(service.path, body, { externalId });
  expectCode(answer, code);
  return { service, body, externalId, answer, moved };
}
type Begun = Awaited<ReturnType<typeof begin>>;

/** A retry, and the same under a new id: both tell the first response and the present status, and change nothing. */
async function expectRepeats({ service, body, externalId, answer }: Begun, status: string): Promise<void> {
  const repeats: readonly (readonly [code: string, again: Answer])[] = [
    [`409${service.service}00`, await alpha.call(service.path, body, { externalId })],
    [`409${service.service}01`, await alpha.call(service.path, body)],
  ];
  for (const [code, again] of repeats) {
    expectCode(again, code);
    const found = { originalResponse: answer.body, latestTransactionStatus: status };
    assert.deepEqual(again.body["additionalInfo"], found);
    assert.equal("referenceNo" in again.body, false);
  }
}

test("slow: 18 is answered 202 after the caller's wait, and settles when the rail answers", async () => {
  await fixture.setMode("interbank", "slow");
  const startedAt = performance.now();
  const sent = await begin(interbank);
  const lasted = performance.now() - startedAt;
  assert.ok(lasted >= 1_000 && lasted < 9_000, `${lasted} ms`);
  assert.equal(sent.answer.message, "Request In Progress");
  assert.deepEqual(await sent.moved(), moneyOf(interbank).inTransit);
  await expectStatus(alpha, interbank, sent.answer, "02");
  await expectRepeats(sent, "02");
  await fixture.advance(16);
  await untilStatus(alpha, interbank, sent.answer, "00");
  assert.deepEqual(await sent.moved(), moneyOf(interbank).settled);
  await expectRepeats(sent, "00");
  const found = await expectStatus(alpha, interbank, sent.answer, "00");
  assert.equal(found.body["previousResponseCode"], "2021800");
  await fixture.setMode("interbank", "normal");
});

test("limbo for an hour: nothing is known before it ends, settled or rejected, and ids stay taken after", async () => {
  const begun: (Begun & { readonly end: "00" | "06" })[] = [];
  for (const service of railServices) {
    await fixture.setMode(service.rail, "limbo");
    begun.push({ ...(await begin(service)), end: "00" });
    begun.push({ ...(await begin(service, { beneficiaryAccountNo: fixture.accountOf("rejected") })), end: "06" });
  }
  for (const seconds of [1, 3_600]) {
    await fixture.advance(seconds);
    for (const sent of begun) {
      await expectStatus(alpha, sent.service, sent.answer, "02");
      await expectRepeats(sent, "02");
      assert.equal((await sent.moved()).payer, moneyOf(sent.service).inTransit.payer);
    }
  }
  for (const { rail } of railServices) await fixture.setMode(rail, "normal");
  await control.call("POST", "rails/skn/settle");
  for (const sent of begun) {
    const { service, answer, moved, end } = sent;
    await expectStatus(alpha, service, answer, end);
    const { settled, none } = moneyOf(service);
    for (let times = 0; times < 2; times += 1) {
      assert.equal((await moved()).payer, (end === "00" ? settled : none).payer);
      await expectRepeats(sent, end);
    }
  }
});

test("down: 18 is rejected at once, its money back, its id and number taken; 36 and a repeat tell it", async () => {
  await fixture.setMode("interbank", "down");
  const sent = await begin(interbank, {}, "4031806");
  assert.equal(sent.answer.message, "Feature Not Allowed At This Time. [Rail down]");
  assert.equal("referenceNo" in sent.answer.body, false);
  assert.deepEqual(await sent.moved(), moneyOf(interbank).none);
  const found = await expectStatus(alpha, interbank, sent.answer, "06");
  assert.equal(found.body["previousResponseCode"], "4031806");
  await fixture.setMode("interbank", "normal");
  await expectRepeats(sent, "06");
  assert.deepEqual(await sent.moved(), moneyOf(interbank).none);
});

test("down: 22 and 23 are accepted, not sent, and sent when the rail is back", async () => {
  const begun: Begun[] = [];
  for (const service of [rtgs, skn]) {
    await fixture.setMode(service.rail, "down");
    begun.push(await begin(service));
  }
  for (const { service, answer } of begun) await untilStatus(alpha, service, answer, "01");
  assert.equal(await fixture.advance(3_600), 0);
  for (const sent of begun) {
    await expectStatus(alpha, sent.service, sent.answer, "01");
    await expectRepeats(sent, "01");
    assert.deepEqual(await sent.moved(), moneyOf(sent.service).inTransit);
  }
  for (const { rail } of [rtgs, skn]) await fixture.setMode(rail, "normal");
  const [large, batched] = begun as [Begun, Begun];
  await expectStatus(alpha, rtgs, large.answer, "00");
  await expectStatus(alpha, skn, batched.answer, "03");
  await fixture.advance(3_600);
  await expectStatus(alpha, skn, batched.answer, "00");
  for (const { service, moved } of begun) assert.deepEqual(await moved(), moneyOf(service).settled);
});

test("a transfer that was sent stays sent while its rail is down: only the rail's word ends it", async () => {
  await fixture.setMode("interbank", "limbo");
  const sent = await begin(interbank);
  await fixture.setMode("interbank", "down");
  await fixture.advance(600);
  await expectStatus(alpha, interbank, sent.answer, "02");
  assert.deepEqual(await sent.moved(), moneyOf(interbank).inTransit);
  await fixture.setMode("interbank", "normal");
  await expectStatus(alpha, interbank, sent.answer, "00");
  assert.deepEqual(await sent.moved(), moneyOf(interbank).settled);
});

test("an id of a transfer that is still open stays taken, however long: 24 hours are the least (D7)", async () => {
  const beneficiaryAccountNo = fixture.accountOf("limbo");
  const sent = await begin(interbank, { beneficiaryAccountNo });
  const { body, externalId, answer, moved } = sent;
  await fixture.advance(25 * 3_600);
  await expectRepeats(sent, "03");
  const other = { ...body, partnerReferenceNo: newNumber() };
  expectCode(await alpha.call(interbank.path, other, { externalId }), "4091800");
  assert.deepEqual(await moved(), moneyOf(interbank).inTransit);
  const { referenceNo } = answer.body;
  await control.call("POST", `transfers/${String(referenceNo)}/resolve`, { result: "refused" });
  // It is final, and its day is over.
  const later = { ...other, beneficiaryAccountNo: "7001001001" };
  expectCode(await alpha.call(interbank.path, later, { externalId }), "2001800");
  assert.deepEqual(await moved(), moneyOf(interbank).settled);
});

test("limbo: a move of the clock asks the rail, and waits for none of its answers", async () => {
  await fixture.setMode("rtgs", "limbo");
  const sent = await begin(rtgs);
  const startedAt = performance.now();
  // Asked about at each.
  for (const seconds of [20, 60, 120]) assert.equal(await fixture.advance(seconds), 0);
  const lasted = performance.now() - startedAt;
  // A call to a rail is given up after 10 s.
  assert.ok(lasted < 9_000, `${lasted} ms`);
  await expectStatus(alpha, rtgs, sent.answer, "02");
  await fixture.setMode("rtgs", "normal");
  await expectStatus(alpha, rtgs, sent.answer, "00");
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
