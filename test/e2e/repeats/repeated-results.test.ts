/** Repeats of calls that were rejected, wait for a rail, or whose transfer or hold has changed since (spec D7), by plain HTTP. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Answer, type Json, newNumber } from "../../support/black-box/caller.ts";
import { toMinor } from "../../support/black-box/control.ts";
import { paths, paymentBody } from "../../support/black-box/payments/hold-bodies.ts";
import { capture, hold, holdOf, refund, voidHold } from "../../support/black-box/payments/holds.ts";
import { eventually, fieldsOf } from "../../support/black-box/answers.ts";
import { moneyOf } from "../../support/black-box/rails/rail-money.ts";
import { interbank, skn } from "../../support/black-box/rails/rail-services.ts";
import { expectStatus, railBody, untilStatus } from "../../support/black-box/rails/rail-transfers.ts";
import { timestampOf } from "../../support/black-box/signer.ts";
import { expectCode, idr, statusPath, transferBody, transferPath } from "../../support/black-box/transfers.ts";
import { startWrites } from "../../support/black-box/writes/all-writes.ts";
import { expectNoOriginal, expectOriginal as expectOriginalOf, statusIn } from "./expect-repeat.ts";

const { all, ofPayments, rails: fixture, payments, ...started } = await startWrites();
after(() => started[Symbol.asyncDispose]());
const { alpha, control } = fixture;
const [payment, capturing, voiding] = ofPayments;
const [from = "", to = ""] = alpha.partner.sourceAccounts;

/** The same checks whichever operation it is: no field that only a success has. */
function expectOriginal(answer: Answer, code: string, first: Answer, status: unknown): void {
  const write = all.find(({ service }) => code.slice(3, 5) === service) ?? assert.fail(code);
  expectOriginalOf(write, answer, code, { first, status });
}

/** A call that is carried out, and what sends it again. */
async function carryOut(path: string, body: Json) {
  const externalId = newNumber();
  const first = await alpha.call(path, body, { externalId });
  return { first, repeat: () => alpha.call(path, body, { externalId }) };
}

const newEmptyAccount = () => fixture.newPayer("1.00");
const ledgerBalance = async (accountNo: string) => toMinor((await control.account(accountNo)).ledgerBalance);

test("17 rejected before: a copy gets its rejection again, a call signed anew is decided afresh", async () => {
  const poor = await newEmptyAccount();
  const externalId = newNumber();
  const body = transferBody({ from: poor, to, value: "50.00" });
  const rejected = await alpha.sign(transferPath, body, { externalId });
  const first = await alpha.send(rejected);
  expectCode(first, "4031714");
  expectCode(await alpha.send(rejected), "4031714");
  expectCode(await alpha.call(transferPath, transferBody({ from, to: poor, value: "200.00" })), "2001700");

  const copy = await alpha.send(rejected);
  expectCode(copy, "4031714");
  assert.deepEqual(copy.body, first.body);
  const retry = await alpha.call(transferPath, body, { externalId });
  expectCode(retry, "2001700");
  assert.equal(await ledgerBalance(poor), 15_100n);
  expectOriginal(await alpha.call(transferPath, body, { externalId }), "4091700", retry, "00");
  // 36 finds the attempt that was accepted, not the one before.
  const originalPartnerReferenceNo = body["partnerReferenceNo"];
  const found = await alpha.call(statusPath, { serviceCode: "17", originalPartnerReferenceNo });
  assert.equal(found.body["latestTransactionStatus"], "00");
  // Whatever a late copy of the rejected call is answered, it moves nothing.
  await alpha.send(rejected);
  assert.equal(await ledgerBalance(poor), 15_100n);
});

for (const ids of ["both under one id", "each under its own"] as const) {
  test(`${ids}: 17, sends are ordered: a first send that arrives after its repeat was rejected gets that rejection`, async () => {
    const poor = await newEmptyAccount();
    const externalId = newNumber();
    const body = transferBody({ from: poor, to, value: "50.00" });
    const signed = (secondsAgo: number, more: Json = {}) =>
      alpha.sign(
        transferPath,
        { ...body, ...more },
        {
          externalId: ids === "both under one id" ? externalId : newNumber(),
          timestamp: timestampOf(Date.now() - secondsAgo * 1_000),
        },
      );
    const [delayed, otherBytes, repeat] = [await signed(20), await signed(15, { remark: "x" }), await signed(10)];
    const rejected = await alpha.send(repeat);
    expectCode(rejected, "4031714");
    expectCode(await alpha.call(transferPath, transferBody({ from, to: poor, value: "200.00" })), "2001700");

    const responseMessage = "Insufficient Funds [Another send was rejected]";
    const late = await alpha.send(delayed);
    assert.deepEqual(late.body, { ...rejected.body, responseMessage });
    assert.equal((await alpha.send(delayed)).text, late.text);
    expectCode(await alpha.send(otherBytes), "4031714");
    // Its own copy is no other send.
    assert.equal((await alpha.send(repeat)).text, rejected.text);
    assert.equal(await ledgerBalance(poor), 20_100n);
    const newer = await alpha.send(await signed(5));
    expectCode(newer, "2001700");
    expectOriginal(await alpha.send(delayed), ids === "both under one id" ? "4091700" : "4091701", newer, "00");
    assert.equal(await ledgerBalance(poor), 15_100n);
  });
}

test("17, a call that got another send's rejection keeps it, though a send in between is rejected since for another reason", async () => {
  const poor = await newEmptyAccount();
  const externalId = newNumber();
  const body = transferBody({ from: poor, to, value: "50.00" });
  const signed = (secondsAgo: number, of: Json, id: string) =>
    alpha.sign(transferPath, of, { externalId: id, timestamp: timestampOf(Date.now() - secondsAgo * 1_000) });
  // One of its external id, and one of its number and content: neither is a send of the other.
  const ofId = await signed(10, transferBody({ from: poor, to, value: "60.00" }), externalId);
  const ofIntent = await signed(15, body, newNumber());
  const call = await signed(20, body, externalId);
  expectCode(await alpha.send(ofId), "4031714");
  const first = await alpha.send(call);
  assert.equal(first.body["responseMessage"], "Insufficient Funds [Another send was rejected]");
  await control.change(poor, { status: "dormant" });
  expectCode(await alpha.send(ofIntent), "4031709");
  assert.equal((await alpha.send(call)).text, first.text);
  // Under its number there is the attempt that was decided alone.
  const query = {
    serviceCode: "17",
    originalPartnerReferenceNo: body["partnerReferenceNo"],
    originalExternalId: externalId,
  };
  expectCode(await alpha.call(statusPath, query), "4043601");
  // Sent before it, under its id or another: the next send is the call.
  for (const id of [externalId, newNumber()]) {
    const older = await alpha.send(await signed(25, body, id));
    assert.equal(older.body["responseMessage"], "Insufficient Funds [Another send was rejected]");
  }
});

/** The id and the number of an 18 that failed stay taken: repeats say so, and other content is rejected. */
async function expectTaken(body: Json, externalId: string, first: Answer): Promise<void> {
  expectOriginal(await alpha.call(interbank.path, body, { externalId }), "4091800", first, "06");
  expectOriginal(await alpha.call(interbank.path, body), "4091801", first, "06");
  const other = { ...body, beneficiaryAccountNo: "7001001001" };
  expectOriginal(await alpha.call(interbank.path, other), "4041818", first, "06");
  expectNoOriginal(await alpha.call(interbank.path, other, { externalId }), "4091800");
}

test("18 rejected by the rail in the call: final; id and number stay taken, and a repeat carries that rejection", async () => {
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
  expectOriginal(await alpha.send(call), "4091800", first, "06");
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
    const { originalResponse } = answer.body["additionalInfo"] as Record<string, Json>;
    const result = `${String(originalResponse?.["responseCode"])} ${String(statusIn(answer))}`;
    assert.ok(["2021800 02", "2021800 06", "4031818 06"].includes(result), result);
  }
  expectOriginal(await alpha.send(copy), "4091800", first, "06");
  assert.deepEqual(await moved(), moneyOf(interbank).none);
});

test("18 rejected after 202: id and number stay taken, and repeats say that it failed", async () => {
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

test("18 repeated while its first call waits for the rail: answered at once that it is under way, never a second one", async () => {
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
  expectOriginal(repeat, "4091800", first, "02");
  await fixture.setMode("interbank", "normal");
  await fixture.advance(15);
  await expectStatus(alpha, interbank, first, "00");
  assert.deepEqual(await moved(), moneyOf(interbank).settled);
});

test("the status of a repeated 23 is what has become of it: settled, rejected, returned", async () => {
  const carryOutSkn = async (more: Json = {}) => {
    const done = await carryOut(skn.path, railBody(skn, await fixture.newPayer(), more));
    expectCode(done.first, "2002300");
    await untilStatus(alpha, skn, done.first, "03");
    return done;
  };
  const settled = await carryOutSkn();
  const rejected = await carryOutSkn({ beneficiaryAccountNo: fixture.accountOf("beneficiaryDormant") });
  await control.call("POST", "rails/skn/settle");
  expectOriginal(await settled.repeat(), "4092300", settled.first, "00");
  expectOriginal(await rejected.repeat(), "4092300", rejected.first, "06");
  await control.call("POST", `transfers/${String(settled.first.body["referenceNo"])}/return`);
  expectOriginal(await settled.repeat(), "4092300", settled.first, "04");
});

test("a payment without an amount is repeated with the amount that was held", async () => {
  const { additionalInfo } = await payments.newPayer("1000000.00");
  const body = paymentBody(payments.hotel.merchantId, { amount: undefined, additionalInfo });
  const { first, repeat } = await carryOut(paths.payment, body);
  const { amount, paidTime, ...rest } = fieldsOf(await repeat());
  assert.deepEqual([amount, paidTime], [idr("500000.00"), first.body["paidTime"]]);
  assert.deepEqual(Object.keys(rest), ["partnerReferenceNo", "additionalInfo"]);
});

test("captures and voids that come at once take no more than is held", async () => {
  const { additionalInfo } = await payments.newPayer();
  const placed = await hold(alpha, payments.merchant.merchantId, { amount: idr("100.00"), additionalInfo });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, position) => {
      const { path, bodyOf } = position % 2 === 0 ? capturing : voiding;
      return alpha.call(path, bodyOf(placed));
    }),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 10);
  const codes = new Set(answers.map(({ code }) => code).filter((code) => !code.startsWith("200")));
  for (const code of codes) assert.match(code, /^404(65|67)00$/);
  const { captured, voided } = await holdOf(control, placed);
  assert.equal(toMinor(captured) + toMinor(voided), 10_000n);
});

test("the status of a repeated payment is what has become of its hold by now", async () => {
  const place = async () => {
    const { first, repeat } = await carryOut(payment.path, (await payment.newIntent()).body);
    const { referenceNo, partnerReferenceNo } = first.body;
    const expectStatusNow = async (status: string) => expectOriginal(await repeat(), "4096300", first, status);
    const references = { referenceNo: String(referenceNo), partnerReferenceNo: String(partnerReferenceNo) };
    return { placed: { ...references, merchantId: payments.merchant.merchantId }, expectStatusNow };
  };
  const one = await place();
  await one.expectStatusNow("01");
  expectCode(await capture(alpha, one.placed, { captureAmount: idr("4.00") }), "2006500");
  await one.expectStatusNow("02");
  expectCode(await voidHold(alpha, one.placed), "2006700");
  await one.expectStatusNow("00");
  expectCode(await refund(alpha, one.placed), "2006900");
  await one.expectStatusNow("04");
  const other = await place();
  expectCode(await voidHold(alpha, other.placed), "2006700");
  await other.expectStatusNow("05");
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
