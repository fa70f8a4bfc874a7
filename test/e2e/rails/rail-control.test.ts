/** Steering of rails and transfers over the control API, and its responses where that makes no sense: by plain HTTP. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import { type Answer, type Json, newNumber } from "../../support/black-box/caller.ts";
import { eventually, unknownNumber } from "../../support/black-box/answers.ts";
import { moneyOf } from "../../support/black-box/rails/rail-money.ts";
import { isSplit } from "../../support/black-box/split-sandbox.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { interbank, type RailService, railServices, rtgs, skn } from "../../support/black-box/rails/rail-services.ts";
import { expectStatus, railBody, untilStatus } from "../../support/black-box/rails/rail-transfers.ts";
import { expectCode, transferBody, transferPath } from "../../support/black-box/transfers.ts";

const fixture = await startRailFixture({ TITIAN_INTERBANK_WAIT_SECONDS: "1" });
after(() => fixture[Symbol.asyncDispose]());
const { alpha, control, sandbox } = fixture;
await fixture.moveTo(fixture.at(0, "10:00:01"));

const referenceOf = ({ body }: Answer) => String(body["referenceNo"]);
const reversal = (referenceNo: string) => control.call("POST", `transfers/${referenceNo}/return`);
const resolve = (referenceNo: string, result: string) =>
  control.call("POST", `transfers/${referenceNo}/resolve`, { result });

/** A control call that cannot be carried out: its status, its code, and the field it names. */
async function expectError(calling: Promise<unknown>, status: number, code: string, field: string): Promise<void> {
  await assert.rejects(calling, (error: Error) => {
    const [, found, text = ""] = /: (\d{3}) (\{.*\})$/.exec(error.message) ?? assert.fail(error.message);
    const shape: { readonly error: Json } = JSON.parse(text);
    assert.deepEqual([Number(found), shape.error["code"], shape.error["field"]], [status, code, field], text);
    return true;
  });
}

/** Metrics are written at most once a second, and shared until then. */
const pageLastsMs = 1_000;

/** Status conflicts of all rails, and cells, by a page of metrics that is up to a second old. */
async function statusConflicts(): Promise<number> {
  const { body } = await request(`${sandbox.file.baseUrl}/metrics`);
  const lines = /^titian_rail_status_conflicts_total\{(?:cell="\d+",)?rail="\w+"\} (\d+)$/gm;
  const counts = [...(await body.text()).matchAll(lines)];
  assert.equal(counts.length, isSplit ? 6 : 3);
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Sends by the service, whose rail shall not answer it in the call. */
async function begin(service: RailService, more: Json = {}) {
  const payer = await fixture.newPayer();
  const moved = await fixture.watch(service.rail, payer);
  const code = service === interbank ? "2021800" : `200${service.service}00`;
  const answer = await fixture.send(service, payer, more, code);
  return { service, answer, moved, referenceNo: referenceOf(answer) };
}

test("modes are returned as they were set; others and other rails are rejected by name", async () => {
  for (const { rail } of railServices) {
    for (const mode of ["slow", "limbo", "down", "normal"] as const) {
      assert.deepEqual(await control.call("POST", `rails/${rail}/mode`, { mode }), { rail, mode });
      assert.deepEqual(await control.call("GET", `rails/${rail}/mode`), { rail, mode });
    }
    for (const body of [{}, { mode: "off" }, { mode: 1 }, { mode: "" }]) {
      await expectError(control.call("POST", `rails/${rail}/mode`, body), 400, "invalidField", "mode");
    }
    assert.deepEqual(await control.call("GET", `rails/${rail}/mode`), { rail, mode: "normal" });
  }
  await expectError(control.call("POST", "rails/bi-fast/mode", { mode: "slow" }), 400, "invalidField", "rail");
  await expectError(control.call("POST", "rails/SKN/settle"), 400, "invalidField", "rail");
});

test("none of it without the control token", async () => {
  for (const path of ["rails/skn/mode", "rails/skn/settle", `transfers/${unknownNumber}/return`]) {
    const { statusCode, body } = await request(`${sandbox.file.baseUrl}/sandbox/${path}`, { method: "POST" });
    assert.equal(statusCode, 401, await body.text());
  }
});

test("settle ends at once what waits for a batch, also what was accepted just now, and nothing twice", async () => {
  const { settled, none, inTransit } = moneyOf(skn);
  const settle = () => control.call("POST", "rails/skn/settle");
  for (const [outcome, count, status, money] of [
    ["success", 1, "00", settled],
    ["unknownBeneficiary", 1, "06", none],
    ["limbo", 0, "03", inTransit],
  ] as const) {
    const { answer, moved, referenceNo } = await begin(skn, { beneficiaryAccountNo: fixture.accountOf(outcome) });
    assert.deepEqual(await settle(), { rail: "skn", settled: count });
    await expectStatus(alpha, skn, answer, status);
    assert.deepEqual(await moved(), money);
    assert.deepEqual(await settle(), { rail: "skn", settled: 0 });
    assert.deepEqual(await moved(), money);
    if (outcome === "limbo") await resolve(referenceNo, "refused");
  }
});

test("after settle a transfer that ended with its submission is known to have, too", async () => {
  for (let times = 0; times < 10; times += 1) {
    const { answer } = await begin(rtgs);
    await control.call("POST", "rails/rtgs/settle");
    await expectStatus(alpha, rtgs, answer, "00");
  }
});

test("settle ends a batch of a rail that is down as well, and its results come once it is back", async () => {
  const { answer, moved } = await begin(skn);
  await untilStatus(alpha, skn, answer, "03");
  await fixture.setMode("skn", "down");
  assert.deepEqual(await control.call("POST", "rails/skn/settle"), { rail: "skn", settled: 1 });
  await expectStatus(alpha, skn, answer, "03");
  assert.deepEqual(await moved(), moneyOf(skn).inTransit);
  await fixture.setMode("skn", "normal");
  await expectStatus(alpha, skn, answer, "00");
  assert.deepEqual(await moved(), moneyOf(skn).settled);
});

test("settle ends what is slow, and what was submitted in limbo, on every rail", async () => {
  for (const mode of ["slow", "limbo"] as const) {
    for (const service of railServices) {
      await fixture.setMode(service.rail, mode);
      const { answer, moved } = await begin(service);
      await expectStatus(alpha, service, answer, "02");
      const { rail } = service;
      assert.deepEqual(await control.call("POST", `rails/${rail}/settle`), { rail, settled: 1 });
      await expectStatus(alpha, service, answer, "00");
      assert.deepEqual(await moved(), moneyOf(service).settled);
      await fixture.setMode(rail, "normal");
    }
  }
});

test("a return brings back what travelled and leaves the fee, once; only what settled can return", async () => {
  for (const service of railServices) {
    const payer = await fixture.newPayer();
    const moved = await fixture.watch(service.rail, payer);
    const answer = await fixture.send(service, payer, { feeType: "BEN" }, `200${service.service}00`);
    const referenceNo = referenceOf(answer);
    if (service === skn) {
      await untilStatus(alpha, skn, answer, "03");
      await expectError(reversal(referenceNo), 409, "wrongState", "referenceNo");
      await control.call("POST", "rails/skn/settle");
    }
    await untilStatus(alpha, service, answer, "00");
    const words = { endedBy: "rail", returnedBy: "operator" };
    const returned = { referenceNo, rail: service.rail, state: "returned", status: "04", ...words };
    assert.deepEqual(await reversal(referenceNo), returned);
    assert.deepEqual(await reversal(referenceNo), returned);
    const { none } = moneyOf(service);
    assert.deepEqual(await moved(), { ...none, payer: -service.fee, fee: service.fee });
    await expectStatus(alpha, service, answer, "04");
    for (const result of ["settled", "refused"]) {
      await expectError(resolve(referenceNo, result), 409, "wrongState", "referenceNo");
    }
    await fixture.advance(600);
    await expectStatus(alpha, service, answer, "04");
  }
});

test("returned by hand before the account's own return is due: it comes back once", async () => {
  const payer = await fixture.newPayer();
  const moved = await fixture.watch("interbank", payer);
  const to = { beneficiaryAccountNo: fixture.accountOf("returnedAfterSettlement") };
  const answer = await fixture.send(interbank, payer, to, "2001800");
  await reversal(referenceOf(answer));
  await fixture.advance(120);
  await expectStatus(alpha, interbank, answer, "04");
  assert.deepEqual(await moved(), moneyOf(interbank).returned);
});

for (const result of ["refused", "settled"] as const) {
  test(`an operator's decision, ${result}, ends a transfer in any open state; what the rail says then changes nothing`, async () => {
    const [status, other] = result === "refused" ? ["06", "settled"] : ["00", "refused"];
    await fixture.setMode("rtgs", "down");
    await fixture.setMode("skn", "limbo");
    await fixture.setMode("interbank", "limbo");
    // Where a rail has it, it says otherwise in the end.
    const beneficiaryAccountNo = fixture.accountOf(result === "refused" ? "success" : "rejected");
    await sleep(pageLastsMs);
    let before = await statusConflicts();
    for (const [service, open] of [
      [rtgs, "01"],
      [skn, "02"],
      [interbank, "02"],
    ] as const) {
      const { answer, moved, referenceNo } = await begin(service, { beneficiaryAccountNo });
      await untilStatus(alpha, service, answer, open);
      await expectError(reversal(referenceNo), 409, "wrongState", "referenceNo");
      // A rejection waits until no instruction is on its way any more.
      if (result === "refused") await fixture.advance(11);
      const ended = { referenceNo, rail: service.rail, state: result, status, endedBy: "operator" };
      assert.deepEqual(await resolve(referenceNo, result), ended);
      const money = moneyOf(service)[result === "refused" ? "none" : "settled"];
      assert.deepEqual(await moved(), money);
      await expectError(resolve(referenceNo, other), 409, "wrongState", "referenceNo");
      await fixture.setMode(service.rail, "normal");
      await control.call("POST", `rails/${service.rail}/settle`);
      await fixture.advance(600);
      await expectStatus(alpha, service, answer, status);
      assert.deepEqual(await moved(), money);
      // A rail that never had it never gets it; else an operator must look.
      if (service === rtgs) {
        await sleep(pageLastsMs);
        assert.equal(await statusConflicts(), before);
      } else {
        await eventually(async () => (await statusConflicts()) > before);
        before = await statusConflicts();
      }
    }
  });
}

test("decided by an operator while its caller waits: 202, and the repeat tells what it was", async () => {
  await fixture.setMode("interbank", "limbo");
  for (const [result, status, money] of [
    ["refused", "06", moneyOf(interbank).none],
    ["settled", "00", moneyOf(interbank).settled],
  ] as const) {
    const payer = await fixture.newPayer();
    const moved = await fixture.watch("interbank", payer);
    const body = railBody(interbank, payer);
    const externalId = newNumber();
    const calling = alpha.call(interbank.path, body, { externalId });
    const inquiry = { serviceCode: "18", originalExternalId: externalId };
    let referenceNo: unknown;
    while (typeof referenceNo !== "string") {
      referenceNo = (await alpha.call("transfer/status", inquiry)).body["originalReferenceNo"];
    }
    // A rejection waits until no instruction is on its way any more.
    if (result === "refused") await fixture.advance(11);
    await resolve(referenceNo, result);
    const answer = await calling;
    expectCode(answer, "2021800");
    const again = await alpha.call(interbank.path, body, { externalId });
    expectCode(again, "4091800");
    assert.deepEqual(again.body["additionalInfo"], { originalResponse: answer.body, latestTransactionStatus: status });
    assert.deepEqual(await moved(), money);
  }
  await fixture.setMode("interbank", "normal");
});

test("a number that is no transfer over a rail is unknown, and a decision is one of two words", async () => {
  const [from = "", to = ""] = alpha.partner.sourceAccounts;
  const within = await alpha.call(transferPath, transferBody({ from, to, value: "1.00" }));
  const settled = await fixture.send(interbank, await fixture.newPayer(), {}, "2001800");
  for (const referenceNo of [unknownNumber, "x", referenceOf(within), referenceOf(settled).toLowerCase()]) {
    await expectError(reversal(referenceNo), 404, "unknownTransfer", "referenceNo");
    await expectError(resolve(referenceNo, "settled"), 404, "unknownTransfer", "referenceNo");
  }
  for (const result of ["returned", "", "SETTLED"]) {
    await expectError(resolve(referenceOf(settled), result), 400, "invalidField", "result");
  }
  await expectError(control.call("POST", `transfers/${referenceOf(settled)}/resolve`), 400, "invalidField", "result");
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
