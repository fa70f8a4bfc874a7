/** The queries of captures and voids, 66 and 68 (spec D8, D10), by plain HTTP: what succeeded, what was rejected. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Json, newNumber } from "../../support/black-box/caller.ts";
import { captureBody, paths, voidBody } from "../../support/black-box/payments/hold-bodies.ts";
import { hold, type Payment } from "../../support/black-box/payments/holds.ts";
import { fieldsOf, unknownNumber } from "../../support/black-box/answers.ts";
import { sharePaymentFixture } from "../../support/black-box/payments/payment-fixture.ts";
import { expectCode, idr } from "../../support/black-box/transfers.ts";

const fixture = await sharePaymentFixture();
const { alpha, control, hotel, merchant } = fixture;
const { additionalInfo } = await fixture.newPayer("100000.00");

/** The two services of a kind of change, and its fields. */
const kinds = [
  {
    write: "65",
    query: "66",
    path: paths.capture,
    queryPath: paths.captureQuery,
    body: captureBody,
    amount: "captureAmount",
    ours: "captureNo",
    theirs: "partnerCaptureNo",
    time: "captureTime",
    status: "latestCaptureStatus",
  },
  {
    write: "67",
    query: "68",
    path: paths.void,
    queryPath: paths.voidQuery,
    body: voidBody,
    amount: "voidAmount",
    ours: "voidNo",
    theirs: "partnerVoidNo",
    time: "voidTime",
    status: "latestVoidStatus",
  },
] as const;
type Kind = (typeof kinds)[number];

const place = (merchantId = merchant.merchantId) => hold(alpha, merchantId, { additionalInfo, subMerchantId: "SUB-1" });

/** A query of a change by what it must name. */
function queryOf({ theirs }: Kind, { referenceNo, merchantId }: Payment, body: Json, more: Json = {}): Json {
  return { originalReferenceNo: referenceNo, merchantId, [theirs]: body[theirs], ...more };
}

/** 404xx01 with the mandatory amount, and neither our number, nor a time, nor a status. */
async function expectNotFound({ queryPath, query, amount, ours, time, status }: Kind, asked: Json): Promise<void> {
  const answer = await alpha.call(queryPath, asked);
  expectCode(answer, `404${query}01`);
  assert.deepEqual(answer.body[amount], idr("0.00"));
  for (const name of [ours, time, status]) assert.equal(name in answer.body, false, answer.text);
}

for (const kind of kinds) {
  const { write, query, path, queryPath, amount, ours, theirs, time, status } = kind;

  test(`${query} tells an accepted attempt as SUCCESS, by all references that fit`, async () => {
    const payment = await place();
    const other = await place(hotel.merchantId);
    const body = kind.body(payment, { [amount]: idr("10"), subMerchantId: "SUB-1" });
    const done = await alpha.call(path, body);
    expectCode(done, `200${write}00`);
    const others = await alpha.call(path, kind.body(payment, { [amount]: idr("5.00") }));
    const optional: readonly (readonly [name: string, right: unknown, wrong: readonly unknown[]])[] = [
      ["originalReferenceNo", payment.referenceNo, [other.referenceNo, "x", payment.partnerReferenceNo]],
      ["originalPartnerReferenceNo", payment.partnerReferenceNo, [other.partnerReferenceNo, newNumber()]],
      ["merchantId", payment.merchantId, [hotel.merchantId, "nobody"]],
      ["subMerchantId", "SUB-1", ["SUB-2"]],
      [ours, done.body[ours], [others.body[ours], payment.referenceNo, "x"]],
    ];
    for (const [name, right, wrong] of optional) {
      const found = await alpha.call(queryPath, queryOf(kind, payment, body, { [name]: right }));
      expectCode(found, `200${query}00`);
      assert.deepEqual(fieldsOf(found), {
        [amount]: idr("10.00"),
        originalReferenceNo: payment.referenceNo,
        originalPartnerReferenceNo: payment.partnerReferenceNo,
        [theirs]: body[theirs],
        [ours]: done.body[ours],
        [time]: done.body[time],
        [status]: "SUCCESS",
      });
      for (const value of wrong) await expectNotFound(kind, queryOf(kind, payment, body, { [name]: value }));
    }
    await expectNotFound(kind, queryOf(kind, payment, { [theirs]: newNumber() }));
    await expectNotFound(kind, queryOf(kind, other, body));
  });

  test(`${query} tells the newest rejected attempt as FAILED, and the accepted one once there is one`, async () => {
    const payment = await place();
    const body = kind.body(payment, { subMerchantId: "SUB-1" });
    const attempt = (more: Json) => alpha.call(path, { ...body, ...more });
    expectCode(await attempt({ [amount]: idr("0.00") }), `404${write}13`);
    const rejected = await attempt({ [amount]: idr("100.01"), additionalInfo: { not: "kept" } });
    expectCode(rejected, `403${write}02`);
    const failed = {
      [amount]: idr("100.01"),
      originalReferenceNo: payment.referenceNo,
      originalPartnerReferenceNo: payment.partnerReferenceNo,
      [theirs]: body[theirs],
      [status]: "FAILED",
      additionalInfo: { rejection: { responseCode: rejected.code, responseMessage: rejected.message } },
    };
    assert.match(rejected.message, / \[Hold remainder\]$/);
    const { originalPartnerReferenceNo } = body;
    for (const more of [{}, { originalPartnerReferenceNo }, { subMerchantId: "SUB-1" }]) {
      const found = await alpha.call(queryPath, queryOf(kind, payment, body, more));
      expectCode(found, `200${query}00`);
      assert.deepEqual(fieldsOf(found), failed);
    }
    for (const more of [
      { merchantId: hotel.merchantId },
      { subMerchantId: "SUB-2" },
      { [ours]: payment.referenceNo },
    ]) {
      await expectNotFound(kind, queryOf(kind, payment, body, more));
    }
    const done = await attempt({ [amount]: idr("60.00") });
    expectCode(done, `200${write}00`);
    // A later attempt under the number is a repeat, and changes nothing of it.
    expectCode(await attempt({ [amount]: idr("100.01") }), `404${write}18`);
    const found = await alpha.call(queryPath, queryOf(kind, payment, body));
    assert.deepEqual([found.body[status], found.body[amount]], ["SUCCESS", idr("60.00")]);
    assert.deepEqual([found.body[ours], found.body[time]], [done.body[ours], done.body[time]]);
  });

  test(`${query}: a rejected attempt that named no amount tells what would have applied`, async () => {
    const payment = await place();
    const wrong = kind.body(payment, { subMerchantId: "SUB-2" });
    expectCode(await alpha.call(path, wrong), `404${write}01`);
    const found = await alpha.call(queryPath, queryOf(kind, payment, wrong));
    assert.deepEqual([found.body[status], found.body[amount]], ["FAILED", idr("100.00")]);
    const nowhere = { ...payment, referenceNo: unknownNumber };
    const lost = kind.body(nowhere);
    expectCode(await alpha.call(path, lost), `404${write}01`);
    const none = await alpha.call(queryPath, queryOf(kind, nowhere, lost));
    assert.deepEqual([none.body[status], none.body[amount]], ["FAILED", idr("0.00")]);
  });
}

test("a capture's number is none of a void, and none of another partner's", async () => {
  const payment = await place();
  const [capturing, releasing] = kinds;
  const taken = captureBody(payment, { captureAmount: idr("1.00") });
  expectCode(await alpha.call(paths.capture, taken), "2006500");
  const { partnerCaptureNo } = taken;
  await expectNotFound(releasing, queryOf(releasing, payment, { partnerVoidNo: partnerCaptureNo }));
  // The same number may be a void's, too.
  const released = voidBody(payment, { partnerVoidNo: partnerCaptureNo });
  expectCode(await alpha.call(paths.void, released), "2006700");
  const found = await alpha.call(paths.captureQuery, queryOf(capturing, payment, taken));
  assert.deepEqual(found.body["captureAmount"], idr("1.00"));
  expectCode(await fixture.beta.call(paths.captureQuery, queryOf(capturing, payment, taken)), "4046601");
  expectCode(await fixture.beta.call(paths.voidQuery, queryOf(releasing, payment, released)), "4046801");
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
