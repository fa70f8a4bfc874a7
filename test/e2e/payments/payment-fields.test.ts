/** Fields of the responses of 63, 65, 67 and 69, and their values (spec D5, D8, D10), by plain HTTP. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, type Json, newNumber } from "../../support/black-box/caller.ts";
import { captureBody, paths, paymentBody, refundBody, voidBody } from "../../support/black-box/payments/hold-bodies.ts";
import { capture, hold, holdOf, type Payment, refund, voidHold } from "../../support/black-box/payments/holds.ts";
import { fieldsOf, unknownNumber } from "../../support/black-box/answers.ts";
import { sharePaymentFixture } from "../../support/black-box/payments/payment-fixture.ts";
import { expectCode, idr } from "../../support/black-box/transfers.ts";

const fixture = await sharePaymentFixture();
const { alpha, control, hotel, merchant } = fixture;
const { additionalInfo } = await fixture.newPayer("10000000.00");
const place = (more: Json = {}) => hold(alpha, merchant.merchantId, { additionalInfo, ...more });
const ourNumber = /^[0-9A-Z]{1,30}$/;
const ourTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+07:00$/;

/** Free-form JSON that no reader and writer of JSON would give back as it is. */
const faithful =
  '{"b" : 1.0, "a":[1e2,-0, 12345678901234567890.10],\n\t"\\u0063":"\\/é\\u00e9🏨", "o":{"z":null,"y":{} }}';

/** Sends a body with free-form JSON put in as it is. */
function callWith(path: string, body: Json, freeForm: Readonly<Record<string, string>>): Promise<Answer> {
  const parts = Object.entries({ ...body, ...freeForm }).map(([name, value]) => {
    return `${JSON.stringify(name)}:${name in freeForm ? freeForm[name] : JSON.stringify(value)}`;
  });
  return alpha.call(path, `{${parts.join()}}`);
}

function expectSuccess(answer: Answer, code: string, known: Json, number: string, time: string): void {
  expectCode(answer, code);
  const { [number]: no, [time]: at, ...rest } = fieldsOf(answer);
  assert.deepEqual(rest, known);
  assert.match(String(no), ourNumber);
  assert.match(String(at), ourTime);
}

test("a success has every field of its table that has a value, and nothing else", async () => {
  const note = { ...additionalInfo, note: ["kept"] };
  const sent = paymentBody(merchant.merchantId, {
    amount: idr("100"),
    subMerchantId: "SUB",
    mcc: "1",
    additionalInfo: note,
  });
  const { partnerReferenceNo } = sent;
  const placed = await alpha.call(paths.payment, sent);
  const { validUpTo } = placed.body["additionalInfo"] as Json;
  assert.equal(Date.parse(String(validUpTo)), Date.parse(String(placed.body["paidTime"])) + 7 * 86_400_000);
  const known = { amount: idr("100.00"), partnerReferenceNo, additionalInfo: { ...note, validUpTo } };
  expectSuccess(placed, "2006300", known, "referenceNo", "paidTime");
  const referenceNo = String(placed.body["referenceNo"]);
  const payment: Payment = {
    referenceNo,
    partnerReferenceNo: String(partnerReferenceNo),
    merchantId: merchant.merchantId,
  };
  const original = { originalReferenceNo: referenceNo, originalPartnerReferenceNo: partnerReferenceNo };

  const taking = captureBody(payment, { captureAmount: idr("30.5"), subMerchantId: "SUB", additionalInfo: {} });
  const { partnerCaptureNo } = taking;
  const captureFields = { captureAmount: idr("30.50"), ...original, partnerCaptureNo, additionalInfo: {} };
  const taken = await alpha.call(paths.capture, taking);
  expectSuccess(taken, "2006500", captureFields, "captureNo", "captureTime");

  const back = refundBody(payment, {
    refundAmount: idr("0.5"),
    reason: "Minibar",
    originalCaptureNo: taken.body["captureNo"],
  });
  const { partnerRefundNo } = back;
  const refundFields = { ...original, partnerRefundNo, refundAmount: idr("0.50") };
  expectSuccess(await alpha.call(paths.refund, back), "2006900", refundFields, "refundNo", "refundTime");

  const releasing = voidBody(payment, { reason: "Left early" });
  const { partnerVoidNo } = releasing;
  const voidFields = { partnerVoidNo, voidAmount: idr("69.50"), ...original };
  expectSuccess(await alpha.call(paths.void, releasing), "2006700", voidFields, "voidNo", "voidTime");
});

test("additionalInfo comes back byte for byte, from a success and from a rejection; items may be any JSON", async () => {
  const expectEcho = ({ text }: Answer, given: string) => assert.ok(text.includes(`"additionalInfo":${given}`), text);
  const named = `{"sourceAccountNo":${JSON.stringify(additionalInfo["sourceAccountNo"])},"more":${faithful}}`;
  const items = ["[]", "{}", faithful, `[${faithful}]`, '"text"', "0", "false", "[[null]]", '[{"goodsId":"1"}]'];
  for (const one of items) {
    const answer = await callWith(paths.payment, paymentBody(merchant.merchantId), {
      items: one,
      additionalInfo: named,
    });
    expectCode(answer, "2006300");
    // Our own members stand behind those that were sent.
    assert.match(answer.text.replace(named.slice(0, -1), "@"), /"additionalInfo":@,"validUpTo":"[^"]+"\}\}$/);
    assert.equal("items" in answer.body, false);
  }
  const payment = await place();
  for (const [path, body] of [
    [paths.capture, captureBody(payment, { captureAmount: idr("10.00") })],
    [paths.refund, refundBody(payment)],
    [paths.void, voidBody(payment)],
  ] as const) {
    const rejected = await callWith(path, { ...body, merchantId: "nobody" }, { additionalInfo: faithful });
    assert.equal(rejected.message, "Transaction Not Found [References disagree]", rejected.text);
    expectEcho(rejected, faithful);
    const done = await callWith(path, body, { additionalInfo: faithful });
    assert.equal(done.message, "Successful", done.text);
    expectEcho(done, faithful);
  }
});

test("amounts have two decimals, however they were written", async () => {
  for (const [written, answered] of [
    ["1", "1.00"],
    ["1.5", "1.50"],
    ["007.05", "7.05"],
    ["1234567", "1234567.00"],
  ] as const) {
    const body = paymentBody(merchant.merchantId, { amount: idr(written), additionalInfo });
    assert.deepEqual((await alpha.call(paths.payment, body)).body["amount"], idr(answered));
    const rejected = { ...body, partnerReferenceNo: newNumber(), merchantId: "nobody" };
    assert.deepEqual((await alpha.call(paths.payment, rejected)).body["amount"], idr(answered));
  }
});

test("fields of a success stand in no failed response, whatever the request says of them", async () => {
  const payment = await place();
  const own = { referenceNo: "R", captureNo: "C", captureTime: "T", voidNo: "V", voidTime: "T" };
  const writes: readonly (readonly [path: string, good: Json])[] = [
    [paths.payment, paymentBody(merchant.merchantId, { additionalInfo })],
    [paths.capture, captureBody(payment, { captureAmount: idr("1.00") })],
    [paths.void, voidBody(payment, { voidAmount: idr("1.00") })],
    [paths.refund, refundBody(payment, { refundAmount: idr("1.00") })],
  ];
  const expectNone = (path: string, { status, body, text }: Answer) => {
    assert.ok(status >= 400, `${path} ${text}`);
    for (const name of Object.keys(own)) assert.equal(name in body, false, `${path} ${text}`);
  };
  const faults = [{ merchantId: "nobody" }, { merchantId: "x".repeat(65) }, { subMerchantId: 5 }];
  for (const [path, good] of writes) {
    const body = { ...good, ...own };
    for (const fault of faults) expectNone(path, await alpha.call(path, { ...body, ...fault }));
    assert.equal((await alpha.call(path, body)).status, 200, path);
    // Repeats are failed answers too.
    for (const more of [{}, { merchantId: "nobody" }]) expectNone(path, await alpha.call(path, { ...body, ...more }));
  }
  const { partnerCaptureNo } = captureBody(payment);
  const { partnerVoidNo } = voidBody(payment);
  const asked = { originalReferenceNo: payment.referenceNo, merchantId: payment.merchantId };
  expectNone(paths.captureQuery, await alpha.call(paths.captureQuery, { ...asked, partnerCaptureNo, ...own }));
  expectNone(paths.voidQuery, await alpha.call(paths.voidQuery, { ...asked, partnerVoidNo, ...own }));
});

test("without an amount: the default is held, what remains is captured or voided, what is refundable refunded", async () => {
  const payment = await hold(alpha, hotel.merchantId, { amount: undefined, additionalInfo });
  assert.equal((await holdOf(control, payment)).held, "500000.00");
  const named = await hold(alpha, hotel.merchantId, { amount: idr("7.00"), additionalInfo });
  assert.equal((await holdOf(control, named)).held, "7.00");
  const answered = async (answer: Promise<Answer>, field: string) => (await answer).body[field];
  assert.deepEqual(
    await answered(capture(alpha, payment, { captureAmount: idr("100000") }), "captureAmount"),
    idr("100000.00"),
  );
  assert.deepEqual(
    await answered(voidHold(alpha, payment, { voidAmount: idr("50000") }), "voidAmount"),
    idr("50000.00"),
  );
  assert.deepEqual(await answered(refund(alpha, payment, { refundAmount: idr("1") }), "refundAmount"), idr("1.00"));
  assert.deepEqual(await answered(capture(alpha, payment), "captureAmount"), idr("350000.00"));
  assert.deepEqual(await answered(refund(alpha, payment), "refundAmount"), idr("449999.00"));
  assert.deepEqual(await answered(voidHold(alpha, named), "voidAmount"), idr("7.00"));
});

test("the payer named is the payer; where nobody is named the merchant's pays", async () => {
  const { payerAccountNo = "" } =
    fixture.sandbox.file.merchants.find((one) => one.merchantId === merchant.merchantId) ?? {};
  const available = async () => (await control.account(payerAccountNo)).availableBalance;
  const before = await available();
  await place({ amount: idr("5.00") });
  assert.equal(await available(), before);
  const body = paymentBody(merchant.merchantId, { amount: idr("5.00") });
  for (const info of [undefined, {}, { sourceAccountNo: "" }, { sourceAccountNo: null }]) {
    const answer = await alpha.call(paths.payment, { ...body, partnerReferenceNo: newNumber(), additionalInfo: info });
    expectCode(answer, "2006300");
  }
  assert.notEqual(await available(), before);
  // The named payer decides, though the merchant's payer could pay.
  const { accountNo } = await fixture.newPayer("1.00");
  const poor = { ...body, partnerReferenceNo: newNumber(), additionalInfo: { sourceAccountNo: accountNo } };
  expectCode(await alpha.call(paths.payment, poor), "4036314");
});

test("a rejection tells the amount that would apply: what is asked, what is left, or nothing", async () => {
  const payment = await place();
  expectCode(await capture(alpha, payment, { captureAmount: idr("30.00") }), "2006500");
  const wrong = { merchantId: hotel.merchantId };
  const nowhere: Payment = { ...payment, referenceNo: unknownNumber, partnerReferenceNo: newNumber() };
  const rows = [
    [capture, "captureAmount", "70.00"],
    [voidHold, "voidAmount", "70.00"],
    [refund, "refundAmount", "30.00"],
  ] as const;
  for (const [change, field, left] of rows) {
    assert.deepEqual((await change(alpha, payment, wrong)).body[field], idr(left));
    assert.deepEqual((await change(alpha, payment, { ...wrong, [field]: idr("5") })).body[field], idr("5.00"));
    assert.deepEqual((await change(alpha, nowhere)).body[field], idr("0.00"));
  }
  expectCode(await voidHold(alpha, payment), "2006700");
  expectCode(await refund(alpha, payment), "2006900");
  for (const [change, field] of rows) assert.deepEqual((await change(alpha, payment)).body[field], idr("0.00"));
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
