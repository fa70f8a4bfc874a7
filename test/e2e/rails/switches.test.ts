// Rails, services and the intake that an operator closes, on two nodes and under load (spec D6, D17).
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { after, test } from "node:test";
import { bulkBody, bulkPath, inquireBulk, untilBulkEnds } from "../../support/black-box/bulks.ts";
import { type Answer, type Caller, createCaller, newNumber } from "../../support/black-box/caller.ts";
import { capture, hold } from "../../support/black-box/payments/holds.ts";
import { paymentBody, paths } from "../../support/black-box/payments/hold-bodies.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { moneyOf } from "../../support/black-box/rails/rail-money.ts";
import { interbank } from "../../support/black-box/rails/rail-services.ts";
import { expectStatus, inquire, railBody, untilStatus } from "../../support/black-box/rails/rail-transfers.ts";
import { timestampOf } from "../../support/black-box/signer.ts";
import { expectCode, transferBody, transferPath } from "../../support/black-box/transfers.ts";

const fixture = await startRailFixture();
const second = await fixture.sandbox.startNode();
after(async () => {
  await second[Symbol.asyncDispose]();
  await fixture[Symbol.asyncDispose]();
});
const { alpha, control, sandbox } = fixture;
const alphaOnSecond = createCaller({ ...sandbox.file, baseUrl: second.baseUrl }, "alpha", sandbox.agent);

const close = (name: string) => control.call("POST", `switches/${name}/close`, { reason: "an incident" });
const reopen = (name: string) => control.call("POST", `switches/${name}/reopen`, { reason: "it is over" });
/** The other node knows within 2 s. */
const allNodes = () => sleep(2_000);
/** A rejection says which switch is closed. */
function expectClosed(answer: Answer, code: string, reason: string): void {
  expectCode(answer, code);
  assert.ok(answer.message.endsWith(` [${reason}]`), answer.message);
}

test("a rail closed under load: both nodes reject within 2 s, repeats are answered as before, and no older send pays later", async () => {
  const payer = await fixture.newPayer();
  const moved = await fixture.watch("interbank", payer);
  const answers: { readonly at: number; readonly answer: Answer }[] = [];
  let isOver = false;
  const load = async (caller: Caller) => {
    while (!isOver) {
      const at = Date.now();
      answers.push({ at, answer: await caller.call(interbank.path, railBody(interbank, payer)) });
    }
  };
  const loads = [alpha, alpha, alphaOnSecond, alphaOnSecond].map(load);
  await sleep(500);
  const sent = railBody(interbank, payer);
  const externalId = newNumber();
  const first = await alpha.call(interbank.path, sent, { externalId });
  expectCode(first, "2001800");
  const hung = railBody(interbank, payer);
  const hungId = newNumber();
  const signed = (secondsAgo: number) =>
    alpha.sign(interbank.path, hung, { externalId: hungId, timestamp: timestampOf(Date.now() - secondsAgo * 1_000) });
  const [older, newer] = [await signed(20), await signed(1)];

  await close("rail:interbank");
  const closedAt = Date.now();
  await allNodes();
  await sleep(500);
  isOver = true;
  await Promise.all(loads);
  const late = answers.filter(({ at }) => at > closedAt + 2_000);
  assert.ok(late.length >= 5 && answers.length > late.length + 10, `${late.length} of ${answers.length}`);
  for (const { answer } of late) expectClosed(answer, "4031806", "Rail closed by operator");
  for (const caller of [alpha, alphaOnSecond]) {
    const repeat = await caller.call(interbank.path, sent, { externalId });
    expectCode(repeat, "4091800");
    assert.deepEqual(repeat.body["additionalInfo"], { originalResponse: first.body, latestTransactionStatus: "00" });
  }
  const rejected = await alpha.send(newer);
  expectClosed(rejected, "4031806", "Rail closed by operator");
  expectClosed(await alpha.call(bulkPath, bulkBody(payer)), "4032006", "Rail closed by operator");
  // It goes to no other bank.
  const [own = ""] = fixture.beta.partner.sourceAccounts;
  expectCode(await alpha.call(transferPath, transferBody({ from: payer, to: own })), "2001700");

  await reopen("rail:interbank");
  await allNodes();
  for (const node of [sandbox.file.baseUrl, second.baseUrl]) {
    const answer = await alpha.send(older, node);
    expectCode(answer, "4031806");
    assert.ok(answer.message.endsWith("[Rail closed by operator] [Another send was rejected]"), answer.message);
    assert.equal((await alpha.send(newer, node)).text, rejected.text);
  }
  const paid = answers.filter(({ answer }) => answer.code === "2001800").length + 1;
  const waiting = answers.filter(({ answer }) => answer.code === "2021800");
  for (const { answer } of waiting) await untilStatus(alpha, interbank, answer, "00");
  const all = BigInt(paid + waiting.length);
  const { payer: taken, clearing } = await moved();
  const each = moneyOf(interbank).settled;
  assert.deepEqual({ taken, clearing }, { taken: each.payer * all - 1_000_000n, clearing: each.clearing * all });
  expectCode(await alphaOnSecond.call(interbank.path, railBody(interbank, payer)), "2001800");
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});

test("what was accepted before waits for its closed rail, and goes out when it opens", async () => {
  const payer = await fixture.newPayer();
  await fixture.setMode("interbank", "down");
  const bulk = await alpha.call(bulkPath, bulkBody(payer, 5));
  expectCode(bulk, "2002000");
  await close("rail:interbank");
  await allNodes();
  await fixture.setMode("interbank", "normal");
  await fixture.advance(600);
  await alphaOnSecond.token({ fresh: true });
  await sleep(1_500);
  const { body } = await inquireBulk(alpha, { originalReferenceNo: bulk.body["bulkId"] });
  assert.equal(body["latestTransactionStatus"], "03", "nothing of it is submitted");
  const { suspense } = (
    await control.call<{ readonly rails: readonly { rail: string; suspense: string }[] }>("GET", "rails")
  ).rails.find(({ rail }) => rail === "interbank") ?? { suspense: "" };
  assert.notEqual(suspense, "0.00");
  await reopen("rail:interbank");
  assert.equal((await untilBulkEnds(alpha, bulk)).body["latestTransactionStatus"], "00");
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});

test("a service is closed for new requests, and what was begun with it goes on", async () => {
  const merchantId = sandbox.file.partners.find(({ partnerId }) => partnerId === "alpha")?.merchants[0] ?? "";
  const payment = await hold(alpha, merchantId);
  for (const name of ["service:63", "service:17"]) await close(name);
  await allNodes();
  for (const caller of [alpha, alphaOnSecond]) {
    const answer = await caller.call(paths.payment, paymentBody(merchantId));
    expectClosed(answer, "4036306", "Service closed");
    const [from = "", to = ""] = alpha.partner.sourceAccounts;
    expectClosed(await caller.call(transferPath, transferBody({ from, to })), "4031706", "Service closed");
  }
  expectCode(await capture(alpha, payment), "2006500");
  for (const name of ["service:63", "service:17"]) await reopen(name);
  await hold(alpha, merchantId);
});

test("while the intake is closed nothing is taken, and inquiries are answered", async () => {
  const payer = await fixture.newPayer();
  const before = await fixture.send(interbank, payer, {}, "2001800");
  await close("intake");
  await allNodes();
  for (const caller of [alpha, alphaOnSecond]) {
    const body = railBody(interbank, payer);
    const answer = await caller.call(interbank.path, body);
    expectCode(answer, "5031800");
    assert.equal(answer.headers["retry-after"], "30");
    assert.equal((await inquire(caller, interbank, { ...answer, body })).code, "4043601");
    await expectStatus(caller, interbank, before, "00");
  }
  await reopen("intake");
  await fixture.send(interbank, payer, {}, "2001800");
});

test("switches are listed, closed twice, unknown, and stand in the metrics and the log", async () => {
  const list = async () =>
    (await control.call<{ readonly switches: readonly { name: string; closed: object | null }[] }>("GET", "switches"))
      .switches;
  assert.deepEqual(
    (await list()).filter(({ closed }) => closed !== null),
    [],
  );
  await close("rail:skn");
  await close("rail:skn");
  const closed = (await list()).filter((one) => one.closed !== null);
  assert.deepEqual(
    closed.map(({ name }) => name),
    ["rail:skn"],
  );
  const metrics = async () => (await fetch(`${sandbox.file.baseUrl}/metrics`)).text();
  assert.match(await metrics(), /^titian_switch_closed\{switch="rail:skn"\} 1$/m);
  await reopen("rail:skn");
  await reopen("rail:skn");
  // A page of metrics is kept for a second.
  await sleep(1_100);
  assert.match(await metrics(), /^titian_switch_closed\{switch="rail:skn"\} 0$/m);
  assert.match(await metrics(), /^titian_acts_overdue(\{cell="0"\})? 0$/m);
  assert.match(await metrics(), /^titian_break_glass_sessions(\{cell="0"\})? 0$/m);
  await assert.rejects(close("rail:bifast"), /400 .*There is no switch rail:bifast; there are intake, rail:interbank/);
  assert.match(sandbox.service.output(), /"event":"switch.closed".*rail:interbank/);
});
