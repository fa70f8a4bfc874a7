/**
 * Peculiarities of refunds (69): their numbers, the two fields on opposite triggers, which capture gives back first.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, type Json, newNumber } from "../../support/black-box/caller.ts";
import { paths, refundBody } from "../../support/black-box/payments/hold-bodies.ts";
import { capture, hold, type Payment, refund } from "../../support/black-box/payments/holds.ts";
import { expectField, fieldsOf } from "../../support/black-box/answers.ts";
import { sharePaymentFixture } from "../../support/black-box/payments/payment-fixture.ts";
import { expectCode, idr, transferBody, transferPath } from "../../support/black-box/transfers.ts";

const fixture = await sharePaymentFixture();
const { alpha, control, hotel, merchant } = fixture;
const payer = await fixture.newPayer();
const { additionalInfo } = payer;

const place = (more: Json = {}) => hold(alpha, merchant.merchantId, { additionalInfo: { ...additionalInfo, ...more } });

async function take(payment: Payment, value: string): Promise<string> {
  const answer = await capture(alpha, payment, { captureAmount: idr(value) });
  expectCode(answer, "2006500");
  return String(answer.body["captureNo"]);
}

/** A hold with a capture of 30.00 whose time has passed. */
async function lapse() {
  const { now } = await control.call<{ readonly now: string }>("GET", "clock");
  const payment = await place({ validUpTo: new Date(Date.parse(now) + 90_000).toISOString() });
  const captureNo = await take(payment, "30.00");
  await fixture.advance(91);
  return { payment, captureNo };
}

const conditional = ({ body }: Answer) =>
  Object.fromEntries(
    ["originalCaptureNo", "originalReferenceNo"].flatMap((name) => (name in body ? [[name, body[name]]] : [])),
  );

test("the answer names the hold, and the capture instead when the hold lapsed; neither when it was not found", async () => {
  const payment = await place();
  const captureNo = await take(payment, "30.00");
  const all = { originalReferenceNo: payment.referenceNo, originalCaptureNo: captureNo };
  const one = { refundAmount: idr("1.00") };
  const far = { refundAmount: idr("500.00") };
  const byHold = { originalReferenceNo: payment.referenceNo };
  for (const more of [{}, all, { originalCaptureNo: captureNo }, byHold]) {
    assert.deepEqual(conditional(await refund(alpha, payment, { ...one, ...more })), byHold);
    assert.deepEqual(conditional(await refund(alpha, payment, { ...far, ...more })), byHold);
  }
  const wrong = { merchantId: hotel.merchantId };
  for (const more of [{}, all]) {
    assert.deepEqual(conditional(await refund(alpha, payment, { ...wrong, ...more })), {});
    assert.deepEqual(conditional(await refund(alpha, { ...payment, partnerReferenceNo: newNumber() }, more)), {});
  }
  // A capture it does not have: the hold was found, and belongs to the call.
  assert.deepEqual(conditional(await refund(alpha, payment, { originalCaptureNo: payment.referenceNo })), byHold);

  const lapsed = await lapse();
  const named = { originalCaptureNo: lapsed.captureNo };
  for (const more of [named, { ...named, originalReferenceNo: lapsed.payment.referenceNo }]) {
    assert.deepEqual(conditional(await refund(alpha, lapsed.payment, { ...one, ...more })), named);
    assert.deepEqual(conditional(await refund(alpha, lapsed.payment, { ...far, ...more })), named);
  }
  assert.deepEqual(conditional(await refund(alpha, lapsed.payment)), {});
});

test("the oldest captures give back first, unless one is named", async () => {
  const payment = await place();
  const [first, second, third] = [
    await take(payment, "30.00"),
    await take(payment, "20.00"),
    await take(payment, "10.00"),
  ];
  const of = (captureNo: string, value?: string) =>
    refund(alpha, payment, { originalCaptureNo: captureNo, ...(value !== undefined && { refundAmount: idr(value) }) });
  expectCode(await of(second, "5.00"), "2006900");
  // 30.00 of the first, 10.00 of the second.
  expectCode(await refund(alpha, payment, { refundAmount: idr("40.00") }), "2006900");
  expectCode(await of(first, "0.01"), "4036902");
  expectCode(await of(first), "4036902");
  expectCode(await of(second, "5.01"), "4036902");
  const rest = await of(second);
  assert.deepEqual([rest.code, rest.body["refundAmount"]], ["2006900", idr("5.00")]);
  expectCode(await of(third, "10.01"), "4036902");
  expectCode(await refund(alpha, payment, { refundAmount: idr("10.01") }), "4036902");
  expectCode(await of(third, "9.99"), "2006900");
  assert.deepEqual((await refund(alpha, payment)).body["refundAmount"], idr("0.01"));
});

test("a rejected refund has a number and a time of its own; a copy of the call gets both again, a retry new ones", async () => {
  const ownMerchant = await fixture.newMerchant();
  const payment = await hold(alpha, ownMerchant.merchantId, { additionalInfo });
  await take(payment, "50.00");
  const move = (from: string, to: string) => alpha.call(transferPath, transferBody({ from, to, value: "50.00" }));
  expectCode(await move(ownMerchant.settlement, payer.accountNo), "2001700");

  const externalId = newNumber();
  const body = refundBody(payment, { reason: "twice", additionalInfo: { a: 1 } });
  const call = await alpha.sign(paths.refund, body, { externalId });
  const rejected = await alpha.send(call);
  expectCode(rejected, "4036914");
  assert.match(String(rejected.body["refundNo"]), /^[0-9A-Z]{1,30}$/);
  await fixture.advance(5);
  assert.equal((await alpha.send(call)).text, rejected.text);
  const retry = await alpha.call(paths.refund, body, { externalId });
  expectCode(retry, "4036914");
  assert.notEqual(retry.body["refundNo"], rejected.body["refundNo"]);
  assert.notEqual(retry.body["refundTime"], rejected.body["refundTime"]);

  // The money is there by now: still a copy is no retry.
  expectCode(await move(payer.accountNo, ownMerchant.settlement), "2001700");
  assert.equal((await alpha.send(call)).text, rejected.text);
  const accepted = await alpha.call(paths.refund, body, { externalId });
  expectCode(accepted, "2006900");
  assert.ok(![rejected, retry].some((one) => one.body["refundNo"] === accepted.body["refundNo"]));
  // From now on the copy is one of an accepted call.
  const late = await alpha.send(call);
  expectCode(late, "4096900");
  assert.equal(late.body["refundNo"], accepted.body["refundNo"]);
  assert.equal(late.body["refundTime"], accepted.body["refundTime"]);
});

test("rejected for whatever reason, it is numbered; rejected for its form, it is not", async () => {
  const payment = await place();
  await take(payment, "30.00");
  const numbers = new Set<unknown>();
  const recorded = [
    { refundAmount: idr("0.00") },
    { refundAmount: idr("30.01") },
    { refundAmount: { value: "1.00", currency: "USD" } },
    { merchantId: "nobody" },
    { originalCaptureNo: "nothing" },
    { originalPartnerReferenceNo: newNumber() },
  ];
  for (const more of recorded) {
    const { body } = await refund(alpha, payment, more);
    assert.match(String(body["refundTime"]), /\+07:00$/);
    numbers.add(body["refundNo"]);
  }
  expectCode(await refund(alpha, await place()), "4046900");
  assert.equal(numbers.size, recorded.length);
  const malformed = await refund(alpha, payment, { refundAmount: null });
  expectField(malformed, "4006901", "refundAmount");
  assert.deepEqual(Object.keys(fieldsOf(malformed)), ["originalPartnerReferenceNo", "partnerRefundNo"]);
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
