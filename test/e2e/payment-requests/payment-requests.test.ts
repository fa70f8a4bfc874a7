/** The life of a payment request (19): approved or declined by the payer, or expired; by 36 through all of it (spec D12). */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { unknownNumber } from "../../support/black-box/answers.ts";
import { type Answer, type Json, newNumber } from "../../support/black-box/caller.ts";
import {
  expectRequestStatus,
  payerAt,
  paymentRequestBody,
  paymentRequestPath,
  referenceOf,
  requestPayment,
  untilRequestStatus,
} from "../../support/black-box/payment-requests.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { moneyOf } from "../../support/black-box/rails/rail-money.ts";
import { interbank } from "../../support/black-box/rails/rail-services.ts";
import { expectCode, idr, statusPath } from "../../support/black-box/transfers.ts";

const fixture = await startRailFixture({ TITIAN_INTERBANK_WAIT_SECONDS: "2" });
after(() => fixture[Symbol.asyncDispose]());
const { alpha, beta, control, sandbox } = fixture;
await fixture.moveTo(fixture.at(0, "10:00:01"));
const payer = payerAt(fixture);
const places = moneyOf(interbank);
const { bankCode } = sandbox.file;

/** An account that no partner may debit. */
const newHolder = async (balance = "50000.00", more: Json = {}) =>
  (await control.open({ name: "A holder", balance, ...more })).accountNo;
const balanceOf = async (accountNo: string) => (await control.account(accountNo)).ledgerBalance;
/** Expects a rejection by the control API. */
const rejectedWith =
  (status: number, code: string, text = "") =>
  (error: unknown) => {
    assert.ok(error instanceof Error);
    assert.ok(error.message.includes(`: ${status} {"error":{"code":"${code}"`), error.message);
    return error.message.includes(text);
  };
const wrongState = rejectedWith(409, "wrongState");

test("paid within the bank: nothing moves until the holder approves, then all of it at once, and only once", async () => {
  const [from, to] = [await newHolder(), await newHolder("0.00")];
  const request = await requestPayment(fixture, from, { bankCode, beneficiaryAccountNo: to, additionalInfo: { a: 1 } });
  const { responseCode: _, responseMessage: __, ...fields } = request.body;
  const { referenceNo, partnerReferenceNo } = fields;
  assert.deepEqual(fields, { referenceNo, partnerReferenceNo, additionalInfo: { a: 1 } });
  const waiting = await expectRequestStatus(alpha, request, "01");
  assert.equal(await balanceOf(from), "50000.00");
  const { answeredAt, ...approved } = await payer.approve(request);
  assert.ok(String(answeredAt) >= fixture.at(0, "10:00:01"));
  const told = { referenceNo, state: "approved", status: "00", payerAccountNo: from, currency: "IDR" };
  assert.deepEqual(approved, { ...told, amount: "10000.00", expiresAt: fixture.at(7, "00:00:00") });
  assert.deepEqual(await payer.approve(request), { ...approved, answeredAt });
  await assert.rejects(payer.decline(request), wrongState);
  assert.deepEqual([await balanceOf(from), await balanceOf(to)], ["40000.00", "10000.00"]);
  const paid = await expectRequestStatus(alpha, request, "00");
  const success = { latestTransactionStatus: "00", transactionStatusDesc: "Success" };
  assert.deepEqual({ ...paid.body }, { ...waiting.body, ...success });
  assert.deepEqual(waiting.body["amount"], idr("10000.00"));
  assert.deepEqual(waiting.body["additionalInfo"], { fee: "0.00" });
  assert.deepEqual([waiting.body["beneficiaryBankCode"], waiting.body["previousResponseCode"]], [bankCode, "2001900"]);
  // By every reference, from a bank or another; not by another partner, nor as another service.
  const { originalExternalId } = waiting.body;
  for (const path of [statusPath, "qr/qr-mpm-status"]) {
    for (const reference of [{ originalExternalId }, { originalPartnerReferenceNo: partnerReferenceNo }]) {
      const found = await alpha.call(path, { serviceCode: "19", ...reference });
      assert.equal(found.body["referenceNumber"], referenceNo, found.text);
    }
  }
  const original = { originalReferenceNo: referenceNo };
  expectCode(await beta.call(statusPath, { serviceCode: "19", ...original }), "4043601");
  expectCode(await alpha.call(statusPath, { serviceCode: "17", ...original }), "4043601");
});

test("paid to another bank: settled, rejected by the rail, or pending, with the transfer's own status", async () => {
  for (const [outcome, status, then, moved] of [
    ["success", "00", "00", places.settled],
    ["rejected", "06", "06", places.none],
    ["slowSuccess", "02", "00", places.settled],
    ["limbo", "03", "00", places.settled],
  ] as const) {
    const from = await newHolder();
    const changes = await fixture.watch("interbank", from);
    const request = await requestPayment(fixture, from, { beneficiaryAccountNo: fixture.accountOf(outcome) });
    assert.deepEqual(await changes(), places.none);
    assert.equal((await payer.approve(request))["status"], status, outcome);
    if (status !== then) {
      await expectRequestStatus(alpha, request, status);
      assert.deepEqual(await changes(), places.inTransit);
      if (outcome === "limbo")
        await control.call("POST", `transfers/${referenceOf(request)}/resolve`, { result: "settled" });
      else await fixture.advance(60);
      await untilRequestStatus(alpha, request, then);
    }
    const found = await expectRequestStatus(alpha, request, then);
    const { fee, rejection } = found.body["additionalInfo"] as Json;
    assert.equal(fee, then === "00" ? "2500.00" : "0.00");
    assert.equal((rejection as Json | undefined)?.["responseCode"], then === "06" ? "4031905" : undefined);
    assert.equal(found.body["previousResponseCode"], "2001900");
    assert.equal((await payer.approve(request))["status"], then, "the same answer again changes nothing");
    assert.deepEqual(await changes(), moved, outcome);
  }
});

test("approved while the rail is down: queued, and sent when it returns; silent, and found by an inquiry", async () => {
  for (const [mode, status] of [
    ["down", "01"],
    ["slow", "02"],
  ] as const) {
    const from = await newHolder();
    const changes = await fixture.watch("interbank", from);
    const request = await requestPayment(fixture, from);
    await fixture.setMode("interbank", mode);
    const approved = await payer.approve(request);
    assert.deepEqual([approved["state"], approved["status"]], ["approved", status]);
    assert.deepEqual(await changes(), places.inTransit);
    await fixture.setMode("interbank", "normal");
    await fixture.advance(60);
    await untilRequestStatus(alpha, request, "00");
    assert.deepEqual(await changes(), places.settled);
  }
});

test("declined: final, and told as 05; declining again changes nothing", async () => {
  const request = await requestPayment(fixture, await newHolder());
  for (const answer of [await payer.decline(request), await payer.decline(request)]) {
    assert.deepEqual([answer["state"], answer["status"]], ["declined", "05"]);
  }
  await assert.rejects(payer.approve(request), wrongState);
  const { transactionStatusDesc } = (await expectRequestStatus(alpha, request, "05")).body;
  assert.equal(transactionStatusDesc, "Declined by the payer");
});

test("expired: no answer is taken from its time on", async () => {
  const from = await newHolder();
  const now = await control.call<{ readonly now: string }>("GET", "clock");
  const expiredDatetime = new Date(Date.parse(now.now) + 30_000).toISOString();
  const requests = [await requestPayment(fixture, from, { expiredDatetime }), await requestPayment(fixture, from)];
  await fixture.advance(30);
  const [expired, other] = requests as [Answer, Answer];
  await assert.rejects(payer.approve(expired), wrongState);
  await assert.rejects(payer.decline(expired), wrongState);
  const { transactionStatusDesc } = (await expectRequestStatus(alpha, expired, "05")).body;
  assert.equal(transactionStatusDesc, "Expired without an answer");
  await expectRequestStatus(alpha, other, "01");
});

test("an open amount is named by the approval; a fixed one may be repeated there, not changed", async () => {
  const from = await newHolder();
  const partnerReferenceNo = newNumber();
  const open = await requestPayment(fixture, from, { partnerReferenceNo, amount: undefined });
  // Its currency is the payer's, said or not (D7).
  for (const [currency, code] of [
    ["IDR", "4091901"],
    [undefined, "4091901"],
    ["USD", "4041918"],
  ] as const) {
    const again = { partnerReferenceNo, amount: undefined, currency };
    expectCode(await alpha.call(paymentRequestPath, paymentRequestBody(fixture, from, again)), code);
  }
  assert.equal((await expectRequestStatus(alpha, open, "01")).body["amount"], undefined);
  const invalid = rejectedWith(400, "invalidField", "amount");
  await assert.rejects(payer.approve(open), invalid);
  await assert.rejects(payer.approve(open, { amount: "1.001" }), invalid);
  await assert.rejects(payer.approve(open, { amount: "0.00" }), rejectedWith(409, "amountTooSmall", "4041913"));
  await assert.rejects(payer.approve(open, { amount: "250000001" }), rejectedWith(409, "overRailLimit", "4031902"));
  await payer.approve(open, { amount: "7000" });
  assert.deepEqual((await expectRequestStatus(alpha, open, "00")).body["amount"], idr("7000.00"));
  assert.equal(await balanceOf(from), "40500.00");

  const fixed = await requestPayment(fixture, from);
  await assert.rejects(payer.approve(fixed, { amount: "9999.99" }), invalid);
  assert.equal((await payer.approve(fixed, { amount: "10000" }))["status"], "00");
});

test("an approval that fails leaves it waiting and moves nothing: funds and state of the accounts are checked then", async () => {
  const [from, to] = [await newHolder("100.00"), await newHolder("0.00")];
  for (const request of [
    await requestPayment(fixture, from),
    await requestPayment(fixture, from, { bankCode, beneficiaryAccountNo: to }),
  ]) {
    await assert.rejects(payer.approve(request), rejectedWith(409, "insufficientFunds", "4031914"));
    await expectRequestStatus(alpha, request, "01");
  }
  const request = await requestPayment(fixture, from, { bankCode, beneficiaryAccountNo: to, amount: idr("60") });
  for (const [accountNo, status, code] of [
    [from, "blocked", "accountInactive"],
    [to, "dormant", "accountDormant"],
  ] as const) {
    await control.change(accountNo, { status });
    await assert.rejects(payer.approve(request), rejectedWith(409, code));
    await control.change(accountNo, { status: "active" });
  }
  await payer.approve(request);
  assert.deepEqual([await balanceOf(from), await balanceOf(to)], ["40.00", "60.00"]);
});

test("the control API knows what is a payment request and what an answer", async () => {
  const unknown = { body: { referenceNo: unknownNumber } } as unknown as Answer;
  for (const answer of [payer.approve, payer.decline]) {
    await assert.rejects(answer(unknown), rejectedWith(404, "unknownPaymentRequest"));
  }
  const request = await requestPayment(fixture, await newHolder());
  await assert.rejects(payer.approve(request, { amont: "1" }), rejectedWith(400, "invalidField", "amont"));
  assert.ok(referenceOf(request).length <= 30);
});

// Last: the clock only moves forward.
test("its external id stays taken while it waits, longer than the 24 hours of every id, and is free after the answer", async () => {
  const from = await newHolder();
  const externalId = newNumber();
  const send = (more: Json = {}) =>
    alpha.call(paymentRequestPath, paymentRequestBody(fixture, from, more), { externalId });
  const request = await send();
  expectCode(request, "2001900");
  await fixture.advance(25 * 3_600);
  expectCode(await send(), "4091900");
  await payer.decline(request);
  expectCode(await send({ expiredDatetime: fixture.at(9, "00:00:00") }), "2001900");
});

test("the audit agrees with all of it", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
