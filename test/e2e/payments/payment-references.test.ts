/** Captures, voids and refunds that are rejected (spec D6, D10, D19): references, state, amounts, counts, funds; by plain HTTP. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, type Caller, type Json, newNumber } from "../../support/black-box/caller.ts";
import { captureBody, paths, refundBody, voidBody } from "../../support/black-box/payments/hold-bodies.ts";
import { capture, hold, holdOf, type Payment, refund, voidHold } from "../../support/black-box/payments/holds.ts";
import { choicesOf, expectField, unknownNumber } from "../../support/black-box/answers.ts";
import {
  sharePaymentFixture,
  standingOf,
  startPaymentFixture,
} from "../../support/black-box/payments/payment-fixture.ts";
import { expectCode, idr, transferBody, transferPath } from "../../support/black-box/transfers.ts";

const fixture = await sharePaymentFixture();
const { alpha, beta, control, hotel, merchant } = fixture;
const payer = await fixture.newPayer("10000.00");
const { additionalInfo } = payer;
const betaMerchant = beta.partner.merchants[1] ?? "";

const place = (value: string, merchantId = merchant.merchantId, more: Json = {}) =>
  hold(alpha, merchantId, { amount: idr(value), additionalInfo, ...more });
const captured = async (payment: Payment, value: string): Promise<string> => {
  const answer = await capture(alpha, payment, { captureAmount: idr(value) });
  expectCode(answer, "2006500");
  return String(answer.body["captureNo"]);
};

/** A change that would be possible if all its references were right. */
interface Change {
  readonly service: "65" | "67" | "69";
  readonly path: string;
  readonly right: Json;
  readonly rest: () => Json;
}

/** A hold with a sub-merchant and a store, of which one rupiah is to be captured, voided and refunded. */
async function changesOf() {
  const stored = { subMerchantId: "SUB-1", additionalInfo: { ...additionalInfo, externalStoreId: "STORE-1" } };
  const payment = await place("100.00", hotel.merchantId, stored);
  const captureNo = await captured(payment, "10.00");
  const right = {
    originalReferenceNo: payment.referenceNo,
    originalPartnerReferenceNo: payment.partnerReferenceNo,
    merchantId: payment.merchantId,
    subMerchantId: "SUB-1",
  };
  const one = idr("1.00");
  const changes: readonly Change[] = [
    {
      service: "65",
      path: paths.capture,
      right,
      rest: () => ({ partnerCaptureNo: newNumber(), title: "A bill", captureAmount: one }),
    },
    { service: "67", path: paths.void, right, rest: () => ({ partnerVoidNo: newNumber(), voidAmount: one }) },
    {
      service: "69",
      path: paths.refund,
      right: { ...right, externalStoreId: "STORE-1", originalCaptureNo: captureNo },
      rest: () => ({ partnerRefundNo: newNumber(), refundAmount: one }),
    },
  ];
  return { payment, changes };
}

test("references that do not all belong to one hold are not found, in whatever combination", async () => {
  const { payment, changes } = await changesOf();
  // All there, and all of another payment of the same partner.
  const other = await place("50.00", merchant.merchantId);
  const wrong: Json = {
    originalReferenceNo: other.referenceNo,
    originalPartnerReferenceNo: other.partnerReferenceNo,
    merchantId: merchant.merchantId,
    subMerchantId: "SUB-2",
    externalStoreId: "STORE-2",
    originalCaptureNo: await captured(other, "10.00"),
  };
  const look = () => Promise.all([payment, other].map((one) => standingOf(fixture, one, payer, hotel)));
  const before = await look();
  for (const { service, path, right, rest } of changes) {
    for (const names of choicesOf(Object.keys(right))) {
      const mixed = Object.fromEntries(names.map((name) => [name, wrong[name]]));
      const answer = await alpha.call(path, { ...right, ...rest(), ...mixed });
      assert.equal(answer.code, `404${service}01`, `${names.join()}: ${answer.text}`);
    }
  }
  assert.deepEqual(await look(), before);
  for (const { service, path, right, rest } of changes) {
    expectCode(await alpha.call(path, { ...right, ...rest() }), `200${service}00`);
  }
});

test("a reference that nobody has, that is malformed, or of another kind is not found", async () => {
  const { changes, payment } = await changesOf();
  const released = await voidHold(alpha, payment, { voidAmount: idr("1.00") });
  const [own, voidNo] = [payment.referenceNo, String(released.body["voidNo"])];
  const values: Readonly<Record<string, readonly string[]>> = {
    originalReferenceNo: [unknownNumber, "x", own.toLowerCase(), `${own} `, voidNo, payment.partnerReferenceNo],
    originalPartnerReferenceNo: [newNumber(), own, `${payment.partnerReferenceNo}0`],
    merchantId: ["nobody", hotel.merchantId.toUpperCase(), betaMerchant],
    subMerchantId: ["sub-1", "SUB-1 "],
    externalStoreId: ["store-1", "SUB-1"],
    originalCaptureNo: [unknownNumber, "x", own, voidNo],
  };
  for (const { service, path, right, rest } of changes) {
    for (const name of Object.keys(right)) {
      for (const value of values[name] ?? []) {
        const answer = await alpha.call(path, { ...right, ...rest(), [name]: value });
        assert.equal(answer.code, `404${service}01`, `${name} ${value}: ${answer.text}`);
      }
    }
  }
  // Sub-merchant and store: also where the hold has none.
  const plain = await place("10.00");
  await captured(plain, "5.00");
  for (const more of [{ subMerchantId: "SUB-1" }, { externalStoreId: "STORE-1" }]) {
    expectCode(await refund(alpha, plain, more), "4046901");
  }
  expectCode(await capture(alpha, plain, { subMerchantId: "SUB-1" }), "4046501");
  expectCode(await voidHold(alpha, plain, { subMerchantId: "SUB-1" }), "4046701");
});

test("another partner's hold is answered exactly as one that does not exist (D19)", async () => {
  const betaPayer = await fixture.newPayer("1000.00", { partnerId: "beta" });
  const theirs = await hold(beta, betaMerchant, { additionalInfo: betaPayer.additionalInfo });
  expectCode(await capture(beta, theirs, { captureAmount: idr("10.00") }), "2006500");
  const nobodys = { referenceNo: unknownNumber, partnerReferenceNo: newNumber(), merchantId: betaMerchant };
  const before = await holdOf(control, theirs);
  /** The response, with what differs in any two calls under one name. */
  const ask = async (caller: Caller, path: string, body: Json): Promise<Json> => {
    const { text } = await caller.call(path, body);
    const given = [theirs.referenceNo, theirs.partnerReferenceNo, nobodys.referenceNo, nobodys.partnerReferenceNo];
    const numbers = [...given, body["partnerCaptureNo"], body["partnerVoidNo"], body["partnerRefundNo"]];
    const same = numbers.reduce<string>((found, number) => found.replaceAll(`"${String(number)}"`, '"…"'), text);
    const { refundNo: _, refundTime: __, ...answer }: Json = JSON.parse(same);
    return answer;
  };
  const bodies: readonly (readonly [path: string, body: (payment: Payment) => Json])[] = [
    [paths.capture, captureBody],
    [paths.capture, (payment) => captureBody(payment, { captureAmount: idr("1.00") })],
    [paths.void, voidBody],
    [paths.void, (payment) => voidBody(payment, { voidRemainingAmount: "true" })],
    [paths.refund, refundBody],
    [
      paths.refund,
      ({ referenceNo, ...rest }) => refundBody({ referenceNo, ...rest }, { originalReferenceNo: referenceNo }),
    ],
    [paths.query, ({ referenceNo }) => ({ originalReferenceNo: referenceNo })],
    [paths.query, ({ partnerReferenceNo }) => ({ originalPartnerReferenceNo: partnerReferenceNo })],
  ];
  for (const [path, body] of bodies) {
    const found = await ask(alpha, path, body(theirs));
    assert.deepEqual(found, await ask(alpha, path, body(nobodys)), path);
    assert.equal(found["responseMessage"], "Transaction Not Found");
  }
  assert.deepEqual(await holdOf(control, theirs), before);
});

test("amounts: zero, another currency, too fine, more than remains or can be refunded", async () => {
  const payment = await place("100.00");
  await captured(payment, "40.00");
  const amounts: readonly (readonly [money: Json, code: string, member?: string])[] = [
    [idr("0"), "40413"],
    [idr("0.00"), "40413"],
    [{ value: "1.00", currency: "USD" }, "40001", "currency"],
    [{ value: "1", currency: "JPY" }, "40001", "currency"],
    [{ value: "1.5", currency: "JPY" }, "40001", "value"],
    [idr("60.01"), "40302"],
    [idr("9999999999999999.99"), "40302"],
  ];
  const calls: readonly (readonly [service: string, name: string, call: (more: Json) => Promise<Answer>])[] = [
    ["65", "captureAmount", (more) => capture(alpha, payment, more)],
    ["65", "captureAmount", (more) => capture(alpha, payment, { ...more, lastCapture: "true" })],
    ["67", "voidAmount", (more) => voidHold(alpha, payment, more)],
    ["67", "voidAmount", (more) => voidHold(alpha, payment, { ...more, voidRemainingAmount: "false" })],
    ["69", "refundAmount", (more) => refund(alpha, payment, more)],
  ];
  const before = await standingOf(fixture, payment, payer, merchant);
  for (const [service, name, call] of calls) {
    for (const [money, code, member] of amounts) {
      const answer = await call({ [name]: money });
      assert.equal(answer.code, `${code.slice(0, 3)}${service}${code.slice(3)}`, answer.text);
      if (member !== undefined) expectField(answer, `400${service}01`, `${name}.${member}`);
    }
  }
  expectCode(await refund(alpha, payment, { refundAmount: idr("40.01") }), "4036902");
  for (const value of ["59.99", "60.01", "0.00"]) {
    const both = { voidAmount: idr(value), voidRemainingAmount: "true" };
    expectCode(await voidHold(alpha, payment, both), "4046713");
  }
  assert.deepEqual(await standingOf(fixture, payment, payer, merchant), before);
  expectCode(await voidHold(alpha, payment, { voidAmount: idr("60"), voidRemainingAmount: "true" }), "2006700");
});

test("a refund that the merchant has no money for is rejected, and decided afresh once there is some", async () => {
  const ownMerchant = await fixture.newMerchant();
  const payment = await place("100.00", ownMerchant.merchantId);
  await captured(payment, "80.00");
  const send = (from: string, to: string, value: string) => alpha.call(transferPath, transferBody({ from, to, value }));
  expectCode(await send(ownMerchant.settlement, payer.accountNo, "30.00"), "2001700");
  const before = await standingOf(fixture, payment, payer, ownMerchant);
  const body = refundBody(payment);
  const externalId = newNumber();
  const rejected = await alpha.call(paths.refund, body, { externalId });
  expectCode(rejected, "4036914");
  assert.deepEqual(rejected.body["refundAmount"], idr("80.00"));
  expectCode(await refund(alpha, payment, { refundAmount: idr("50.01") }), "4036914");
  assert.deepEqual(await standingOf(fixture, payment, payer, ownMerchant), before);
  expectCode(await refund(alpha, payment, { refundAmount: idr("50.00") }), "2006900");
  expectCode(await send(payer.accountNo, ownMerchant.settlement, "30.00"), "2001700");
  const retry = await alpha.call(paths.refund, body, { externalId });
  expectCode(retry, "2006900");
  assert.deepEqual(retry.body["refundAmount"], idr("30.00"), "what can be refunded by now");
});

test("a hold takes so many captures, voids and refunds, each on its own, and no more", async () => {
  await using small = await startPaymentFixture({ TITIAN_HOLD_EVENTS_MAX: "2" });
  const { additionalInfo: paysSmall } = await small.newPayer();
  const payment = await hold(small.alpha, small.merchant.merchantId, { additionalInfo: paysSmall });
  for (const [service, change, amount, value] of [
    ["65", capture, "captureAmount", "5.00"],
    ["67", voidHold, "voidAmount", "2.00"],
    ["69", refund, "refundAmount", "1.00"],
  ] as const) {
    const by = (text: string) => change(small.alpha, payment, { [amount]: idr(text) });
    // Rejected ones do not count.
    expectCode(await by("0.00"), `404${service}13`);
    expectCode(await by(value), `200${service}00`);
    expectCode(await by(value), `200${service}00`);
    expectCode(await by(value), `403${service}04`);
    // The amount is looked at before the count.
    expectCode(await by("1000.00"), `403${service}02`);
  }
  expectCode(await capture(small.alpha, payment, { lastCapture: "true" }), "4036504");
  const { captured: taken, voided, refunded, remaining } = await holdOf(small.control, payment);
  assert.deepEqual([taken, voided, refunded, remaining], ["10.00", "4.00", "2.00", "86.00"]);
  // The rest is released when the hold expires.
  await small.control.advance(7 * 86_400);
  assert.equal((await holdOf(small.control, payment)).expired, "86.00");
  assert.deepEqual(await small.control.audit(), { ok: true, findings: [] });
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
