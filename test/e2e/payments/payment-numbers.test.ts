/** Numbers of captures, voids and refunds count per hold, and their content by its meaning (spec D7), by plain HTTP. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, type Json, newNumber } from "../../support/black-box/caller.ts";
import { captureBody, paths, paymentBody, refundBody, voidBody } from "../../support/black-box/payments/hold-bodies.ts";
import { hold, type Payment } from "../../support/black-box/payments/holds.ts";
import { sharePaymentFixture } from "../../support/black-box/payments/payment-fixture.ts";
import { expectCode, idr } from "../../support/black-box/transfers.ts";

const fixture = await sharePaymentFixture();
const { alpha, hotel, merchant } = fixture;
const { additionalInfo, accountNo } = await fixture.newPayer("100000000.00");

const place = () => hold(alpha, merchant.merchantId, { additionalInfo });
const captured = async (more: Json = {}) => {
  const payment = await place();
  expectCode(await alpha.call(paths.capture, captureBody(payment, more)), "2006500");
  return payment;
};

const kinds = [
  { code: "65", number: "partnerCaptureNo", path: paths.capture, body: captureBody, original: place },
  { code: "67", number: "partnerVoidNo", path: paths.void, body: voidBody, original: place },
  { code: "69", number: "partnerRefundNo", path: paths.refund, body: refundBody, original: () => captured() },
] as const;

for (const { code, number, path, body, original } of kinds) {
  test(`${code}: the same ${number} on a second hold is another one; on the same hold it is a repeat`, async () => {
    const [one, two] = [await original(), await original()];
    const bodies = [one, two].map((payment) => body(payment, { [number]: "N-1" }));
    const answers: Answer[] = [];
    for (const each of bodies) answers.push(await alpha.call(path, each));
    for (const [index, first] of answers.entries()) {
      expectCode(first, `200${code}00`);
      const again = await alpha.call(path, bodies[index] ?? {});
      expectCode(again, `409${code}01`);
      assert.deepEqual((again.body["additionalInfo"] as Json)["originalResponse"], first.body);
    }
    // References that do not belong together take nothing: neither hold's number, nor the id.
    const third = await original();
    const mixed = { ...body(third, { [number]: "N-1" }), originalReferenceNo: one.referenceNo };
    const crossed =
      code === "69" ? mixed : { ...body(third, { [number]: "N-2" }), originalReferenceNo: one.referenceNo };
    expectCode(await alpha.call(path, crossed), `404${code}01`);
    expectCode(await alpha.call(path, body(third, { [number]: "N-1" })), `200${code}00`);
  });
}

const queries = [
  { ...kinds[0], query: "66", asked: paths.captureQuery, ours: "captureNo", amount: "captureAmount" },
  { ...kinds[1], query: "68", asked: paths.voidQuery, ours: "voidNo", amount: "voidAmount" },
] as const;

for (const { query, path, asked, ours, amount, number, body, code } of queries) {
  test(`${query} finds a number in the hold it is asked of, accepted or rejected`, async () => {
    const payments = [await place(), await place(), await place()];
    const [one, two] = await Promise.all(
      payments.slice(0, 2).map((payment) => alpha.call(path, body(payment, { [number]: "Q-1" }))),
    );
    const third = payments[2] as Payment;
    expectCode(await alpha.call(path, body(third, { [number]: "Q-1", [amount]: idr("0.00") })), `404${code}13`);
    const found = payments.map(({ referenceNo, merchantId }) =>
      alpha.call(asked, { originalReferenceNo: referenceNo, merchantId, [number]: "Q-1" }),
    );
    assert.deepEqual(
      (await Promise.all(found)).map((answer) => [answer.code, answer.body[ours]]),
      [
        [`200${query}00`, one?.body[ours]],
        [`200${query}00`, two?.body[ours]],
        [`200${query}00`, undefined],
      ],
    );
  });
}

/** Requests that were sent, those that then mean the same under their number, and those that do not. */
const meanings: readonly (readonly [
  code: string,
  path: string,
  first: () => Promise<Json>,
  same: readonly Json[],
  other: readonly Json[],
])[] = [
  [
    "65 of all",
    paths.capture,
    async () => captureBody(await place()),
    [{ captureAmount: idr("100") }, { lastCapture: "FALSE" }],
    [{ captureAmount: idr("99.00") }, { lastCapture: "true" }],
  ],
  [
    "65 of a part",
    paths.capture,
    async () => captureBody(await place(), { captureAmount: idr("40.00"), lastCapture: "false" }),
    [{ lastCapture: undefined }, { captureAmount: idr("40.0"), title: "Another" }],
    [{ captureAmount: undefined }],
  ],
  [
    "67 of all",
    paths.void,
    async () => voidBody(await place()),
    [
      { voidRemainingAmount: "true" },
      { voidAmount: idr("100.00") },
      { voidAmount: idr("100"), voidRemainingAmount: "true" },
    ],
    [{ voidAmount: idr("99.00") }],
  ],
  [
    "67 of an amount that was all",
    paths.void,
    async () => voidBody(await place(), { voidAmount: idr("100.00"), voidRemainingAmount: "false" }),
    [{ voidAmount: undefined, voidRemainingAmount: undefined }, { voidRemainingAmount: "true" }],
    [{ voidAmount: idr("1.00") }],
  ],
  [
    "67 of a part",
    paths.void,
    async () => voidBody(await place(), { voidAmount: idr("40.00") }),
    [{ voidRemainingAmount: "false" }],
    [{ voidRemainingAmount: "true" }, { voidAmount: undefined }],
  ],
  [
    "69 of all",
    paths.refund,
    async () => refundBody(await captured()),
    [{ refundAmount: idr("100.00") }],
    [{ refundAmount: idr("10.00") }, { originalReferenceNo: newNumber() }],
  ],
  [
    "63 by the merchant's default amount",
    paths.payment,
    async () => paymentBody(hotel.merchantId, { amount: undefined, additionalInfo }),
    [{ amount: idr("500000") }, { title: "Another" }],
    [{ amount: idr("500000.01") }, { additionalInfo: {} }],
  ],
];

for (const [name, path, first, same, other] of meanings) {
  test(`${name}: what means the same is answered as such, under its number and under its id`, async () => {
    const body = await first();
    const externalId = newNumber();
    const done = await alpha.call(path, body, { externalId });
    assert.equal(done.status, 200, done.text);
    const code = done.code.slice(3, 5);
    for (const more of same) {
      const sameNumber = await alpha.call(path, { ...body, ...more });
      expectCode(sameNumber, `409${code}01`);
      const sameId = await alpha.call(path, { ...body, ...more }, { externalId });
      expectCode(sameId, `409${code}00`);
      for (const answer of [sameNumber, sameId]) {
        assert.deepEqual((answer.body["additionalInfo"] as Json)["originalResponse"], done.body);
      }
    }
    for (const more of other) {
      expectCode(await alpha.call(path, { ...body, ...more }), `404${code}18`);
      const sameId = await alpha.call(path, { ...body, ...more }, { externalId });
      assert.equal(sameId.message, "Conflict [X-EXTERNAL-ID was used for another request]");
      assert.equal("additionalInfo" in sameId.body, false);
    }
  });
}

test("63: a payer is one payer, whether the call names it or the merchant has it", async () => {
  const { merchantId } = await fixture.newMerchant("--payer-account", accountNo);
  const [unnamed, named] = [{ additionalInfo: undefined }, { additionalInfo }];
  const other = { additionalInfo: (await fixture.newPayer()).additionalInfo };
  for (const [first, again] of [
    [unnamed, named],
    [named, unnamed],
  ]) {
    const body = paymentBody(merchantId, first);
    expectCode(await alpha.call(paths.payment, body), "2006300");
    expectCode(await alpha.call(paths.payment, { ...body, ...again }), "4096301");
    expectCode(await alpha.call(paths.payment, { ...body, ...other }), "4046318");
  }
});
