/** What a second call of 18, 22 or 23 with the same key gets (spec D7), row by row, by plain HTTP. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Answer, type Json, newNumber } from "../../support/black-box/caller.ts";
import { eventually } from "../../support/black-box/payments/payment-fixture.ts";
import { moneyOf } from "../../support/black-box/rails/rail-money.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { interbank, type RailService, railServices, rtgs, skn } from "../../support/black-box/rails/rail-services.ts";
import { expectStatus, railBody, untilStatus } from "../../support/black-box/rails/rail-transfers.ts";
import { expectCode, idr, statusPath, transferBody, transferPath } from "../../support/black-box/transfers.ts";

const fixture = await startRailFixture({ TITIAN_INTERBANK_WAIT_SECONDS: "2" });
after(() => fixture[Symbol.asyncDispose]());
const { alpha, beta, control } = fixture;
await fixture.moveTo(fixture.at(0, "10:00:01"));

/** One intent that was carried out as far as it goes at once: what was sent, what came back, and its status since. */
async function carryOut(service: RailService, more: Json = {}) {
  const payer = await fixture.newPayer();
  const moved = await fixture.watch(service.rail, payer);
  const externalId = newNumber();
  const body = railBody(service, payer, { additionalInfo: { note: "kept" }, ...more });
  const call = await alpha.sign(service.path, body, { externalId });
  const first = await alpha.send(call);
  expectCode(first, `200${service.service}00`);
  const status = service === skn ? "03" : "00";
  await untilStatus(alpha, service, first, status);
  return { payer, moved, externalId, body, call, first, status, money: moneyAfter(service) };
}

const moneyAfter = (service: RailService) => moneyOf(service)[service === skn ? "inTransit" : "settled"];

/** The answer tells the first one and how things stand now, and nothing that only a success has. */
function expectOriginal(answer: Answer, code: string, originalResponse: Json, latestTransactionStatus: string): void {
  expectCode(answer, code);
  assert.deepEqual(answer.body["additionalInfo"], { originalResponse, latestTransactionStatus });
  for (const name of ["referenceNo", "traceNo", "transactionStatus"]) assert.equal(name in answer.body, false);
}

function expectNoOriginal(answer: Answer, code: string): void {
  expectCode(answer, code);
  assert.equal(answer.message, "Conflict [X-EXTERNAL-ID was used for another request]");
  assert.equal("additionalInfo" in answer.body, false, answer.text);
}

/** The id and the number of an 18 that failed stay taken: repeats tell so, and other content is rejected. */
async function expectTaken(body: Json, externalId: string, first: Answer): Promise<void> {
  expectOriginal(await alpha.call(interbank.path, body, { externalId }), "4091800", first.body, "06");
  expectOriginal(await alpha.call(interbank.path, body), "4091801", first.body, "06");
  const other = { ...body, beneficiaryAccountNo: "7001001001" };
  expectOriginal(await alpha.call(interbank.path, other), "4041818", first.body, "06");
  expectNoOriginal(await alpha.call(interbank.path, other, { externalId }), "4091800");
}

for (const service of railServices) {
  const { service: code, path } = service;

  test(`${code}: same external id, same bytes: the first answer whole, whether copied, signed anew or pretty`, async () => {
    const { body, externalId, call, first, status, moved, money } = await carryOut(service);
    if (service === interbank) assert.match(String(first.body["traceNo"]), /^[!-~]{1,16}$/);
    const repeats = [
      () => alpha.send(call),
      () => alpha.call(path, body, { externalId }),
      () => alpha.call(path, JSON.stringify(body, undefined, 2), { externalId }),
    ];
    for (const repeat of repeats) expectOriginal(await repeat(), `409${code}00`, first.body, status);
    assert.deepEqual(await moved(), money);
  });

  test(`${code}: same external id, another request: 409 that tells nothing of the first; other bytes alone are no other request`, async () => {
    const { body, externalId, payer, moved, money, first, status } = await carryOut(service);
    for (const more of [{ remark: "x", feeType: "OUR" }, { beneficiaryBankCode: "CENAIDJA" }]) {
      expectOriginal(await alpha.call(path, { ...body, ...more }, { externalId }), `409${code}00`, first.body, status);
    }
    for (const other of [
      { ...body, feeType: "BEN" },
      { ...body, partnerReferenceNo: newNumber() },
    ]) {
      expectNoOriginal(await alpha.call(path, other, { externalId }), `409${code}00`);
    }
    for (const other of railServices.filter((one) => one !== service)) {
      const answer = await alpha.call(other.path, railBody(other, payer), { externalId });
      expectNoOriginal(answer, `409${other.service}00`);
    }
    const [, to = ""] = alpha.partner.sourceAccounts;
    const within = await alpha.call(transferPath, transferBody({ from: payer, to, value: "1.00" }), { externalId });
    expectNoOriginal(within, "4091700");
    // Reads take no external id, and mind none.
    const inquiry = { serviceCode: code, originalExternalId: externalId };
    expectCode(await alpha.call(statusPath, inquiry, { externalId }), "2003600");
    assert.deepEqual(await moved(), money);
  });

  test(`${code}: same number, new external id: 409xx01 for the same content, 404xx18 for other content`, async () => {
    const { body, first, status, moved, money } = await carryOut(service, { feeType: "OUR" });
    const { value } = service;
    const same = [
      {},
      { amount: idr(value.slice(0, -3)) },
      { beneficiaryAccountName: "Another", remark: "another", transactionDate: "2026-12-01T00:00:00Z" },
      { additionalInfo: { a: 1 }, customerReference: "INV-2", currency: "IDR" },
      // The same bank by its other codes.
      { beneficiaryBankCode: "CENAIDJA" },
      { beneficiaryBankCode: "CENAIDJAXXX", amount: idr(value.slice(0, -3)) },
      { feeType: undefined },
    ];
    for (const more of same) {
      expectOriginal(await alpha.call(path, { ...body, ...more }), `409${code}01`, first.body, status);
    }
    const other = [
      { amount: idr("150000000.01") },
      { beneficiaryAccountNo: "7001001002" },
      { beneficiaryBankCode: "008" },
      { beneficiaryBankCode: "BMRIIDJA" },
      { beneficiaryBankCode: "CENAIDJA", beneficiaryAccountNo: "7001001002" },
      { beneficiaryBankCode: "CENAIDJA", amount: idr("150000000.01") },
      { beneficiaryBankCode: "CENAIDJA", feeType: "BEN" },
      { sourceAccountNo: await fixture.newPayer() },
      { feeType: "BEN" },
    ];
    for (const more of other) {
      expectOriginal(await alpha.call(path, { ...body, ...more }), `404${code}18`, first.body, status);
    }
    assert.deepEqual(await moved(), money);
  });

  test(`${code}: sent to a branch's BIC, then by the bank's other codes: the same content`, async () => {
    const { body, first, status, moved, money } = await carryOut(service, { beneficiaryBankCode: "CENAIDJA001" });
    for (const beneficiaryBankCode of ["014", "CENAIDJA", "CENAIDJAXXX"]) {
      const answer = await alpha.call(path, { ...body, beneficiaryBankCode });
      expectOriginal(answer, `409${code}01`, first.body, status);
    }
    assert.deepEqual(await moved(), money);
  });

  test(`${code}: a number belongs to a service and a partner: others use the same one for their own`, async () => {
    const { body, externalId, moved, money } = await carryOut(service);
    const theirs = await fixture.newPayer("1000000000.00", { partnerId: "beta" });
    const answer = await beta.call(path, { ...body, sourceAccountNo: theirs }, { externalId });
    expectCode(answer, `200${code}00`);
    const other = service === interbank ? skn : interbank;
    const { partnerReferenceNo } = body;
    await fixture.send(other, await fixture.newPayer(), { partnerReferenceNo }, `200${other.service}00`);
    if (service === rtgs) await eventually(async () => (await moved()).suspense === 0n);
    assert.equal((await moved()).payer, money.payer);
  });

  test(`${code}: rejected before: a copy is rejected alike; id and number serve what is signed anew`, async () => {
    const payer = await fixture.newPayer();
    const moved = await fixture.watch(service.rail, payer);
    const body = railBody(service, payer);
    const externalId = newNumber();
    const rejected = await alpha.sign(path, { ...body, amount: idr("0.00") }, { externalId });
    const first = await alpha.send(rejected);
    expectCode(first, `404${code}13`);
    assert.equal((await alpha.send(rejected)).text, first.text);
    const accepted = await alpha.call(path, body, { externalId });
    expectCode(accepted, `200${code}00`);
    // Whatever a late copy of the rejected call is told, it moves nothing.
    await alpha.send(rejected);
    await untilStatus(alpha, service, accepted, service === skn ? "03" : "00");
    assert.deepEqual(await moved(), moneyAfter(service));
  });

  test(`${code}: fifty copies at once, fifty signed anew, fifty under other ids: one effect, all learn it`, async () => {
    const payer = await fixture.newPayer();
    const moved = await fixture.watch(service.rail, payer);
    const body = railBody(service, payer);
    const externalId = newNumber();
    const copy = await alpha.sign(path, body, { externalId });
    const calls = await Promise.all(
      Array.from({ length: 150 }, (_, position) =>
        position % 3 === 0 ? Promise.resolve(copy) : alpha.sign(path, body, position % 3 === 1 ? { externalId } : {}),
      ),
    );
    const answers = await Promise.all(calls.map((call) => alpha.send(call)));
    const [first, ...more] = answers.filter(({ status }) => status === 200);
    assert.ok(first && more.length === 0, `${more.length + 1} successes`);
    for (const answer of answers) {
      if (answer === first) continue;
      assert.ok([`409${code}00`, `409${code}01`].includes(answer.code), answer.text);
      const { originalResponse } = answer.body["additionalInfo"] as { readonly originalResponse: Json };
      // Told before the rail answered, it says 202; of whose call it is the same number says.
      assert.ok(["20200", "20000"].includes(String(originalResponse["responseCode"]).replace(code, "")), answer.text);
      assert.equal(originalResponse["referenceNo"], first.body["referenceNo"]);
    }
    await untilStatus(alpha, service, first, service === skn ? "03" : "00");
    assert.deepEqual(await moved(), moneyAfter(service));
  });
}

test("18 rejected by the rail in the call: final; id and number stay taken, and a repeat tells that rejection", async () => {
  const payer = await fixture.newPayer();
  const moved = await fixture.watch("interbank", payer);
  const externalId = newNumber();
  const more = { beneficiaryAccountNo: fixture.accountOf("rejected"), additionalInfo: { note: "kept" } };
  const body = railBody(interbank, payer, more);
  const call = await alpha.sign(interbank.path, body, { externalId });
  const first = await alpha.send(call);
  expectCode(first, "4031805");
  assert.equal("referenceNo" in first.body, false);
  assert.deepEqual(await moved(), moneyOf(interbank).none);
  expectOriginal(await alpha.send(call), "4091800", first.body, "06");
  await expectTaken(body, externalId, first);
  assert.deepEqual(await moved(), moneyOf(interbank).none);
  const other = { ...body, beneficiaryAccountNo: "7001001001" };
  const again = await alpha.call(interbank.path, { ...other, partnerReferenceNo: newNumber() });
  expectCode(again, "2001800");
  assert.deepEqual(await moved(), moneyOf(interbank).settled);
});

test("18 rejected in the call, sixty times at once, copied and signed anew: one is rejected, the others are its repeats", async () => {
  const payer = await fixture.newPayer();
  const moved = await fixture.watch("interbank", payer);
  const externalId = newNumber();
  const body = railBody(interbank, payer, { beneficiaryAccountNo: fixture.accountOf("beneficiaryInactive") });
  const copy = await alpha.sign(interbank.path, body, { externalId });
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, position) =>
      position % 2 === 0 ? alpha.send(copy) : alpha.call(interbank.path, body, { externalId }),
    ),
  );
  const [first, ...more] = answers.filter(({ code }) => code === "4031818");
  assert.ok(first && more.length === 0, `${more.length + 1} rejections`);
  for (const answer of answers) {
    if (answer === first) continue;
    expectCode(answer, "4091800");
    const { originalResponse, latestTransactionStatus } = answer.body["additionalInfo"] as Record<string, Json>;
    const found = `${String(originalResponse?.["responseCode"])} ${String(latestTransactionStatus)}`;
    assert.ok(["2021800 02", "2021800 06", "4031818 06"].includes(found), found);
  }
  expectOriginal(await alpha.send(copy), "4091800", first.body, "06");
  assert.deepEqual(await moved(), moneyOf(interbank).none);
});

test("18 rejected after 202: id and number stay taken, and repeats tell that it failed", async () => {
  const payer = await fixture.newPayer();
  const moved = await fixture.watch("interbank", payer);
  const externalId = newNumber();
  const body = railBody(interbank, payer, { beneficiaryAccountNo: fixture.accountOf("limbo") });
  const first = await alpha.call(interbank.path, body, { externalId });
  expectCode(first, "2021800");
  await control.call("POST", `transfers/${String(first.body["referenceNo"])}/resolve`, { result: "refused" });
  assert.deepEqual(await moved(), moneyOf(interbank).none);
  await expectTaken(body, externalId, first);
  assert.deepEqual(await moved(), moneyOf(interbank).none);
  const found = await expectStatus(alpha, interbank, first, "06");
  assert.equal(found.body["previousResponseCode"], "2021800");
});

test("18 repeated while its first call waits for the rail: told at once that it is under way, never a second one", async () => {
  await fixture.setMode("interbank", "slow");
  const payer = await fixture.newPayer();
  const moved = await fixture.watch("interbank", payer);
  const externalId = newNumber();
  const body = railBody(interbank, payer);
  const calling = alpha.call(interbank.path, body, { externalId });
  await eventually(async () => (await moved()).suspense !== 0n);
  let isAnswered = false;
  void calling.then(() => (isAnswered = true));
  const repeat = await alpha.call(interbank.path, body, { externalId });
  assert.equal(isAnswered, false, "it waits for the first one's commit, not for the rail");
  const first = await calling;
  expectCode(first, "2021800");
  expectOriginal(repeat, "4091800", first.body, "02");
  await fixture.setMode("interbank", "normal");
  await fixture.advance(15);
  await expectStatus(alpha, interbank, first, "00");
  assert.deepEqual(await moved(), moneyOf(interbank).settled);
});

test("a repeat tells what has become of it: settled, rejected, returned", async () => {
  const batched = await carryOut(skn);
  const rejected = await carryOut(skn, { beneficiaryAccountNo: fixture.accountOf("beneficiaryDormant") });
  const repeat = ({ body, externalId }: typeof batched) => alpha.call(skn.path, body, { externalId });
  await control.call("POST", "rails/skn/settle");
  expectOriginal(await repeat(batched), "4092300", batched.first.body, "00");
  expectOriginal(await repeat(rejected), "4092300", rejected.first.body, "06");
  await control.call("POST", `transfers/${String(batched.first.body["referenceNo"])}/return`);
  expectOriginal(await repeat(batched), "4092300", batched.first.body, "04");
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
