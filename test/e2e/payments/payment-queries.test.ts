/** The queries 64, 66 and 68 (spec D8, D10, D19) by plain HTTP: by which reference, with which fields, whose. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Json, newNumber } from "../../support/black-box/caller.ts";
import { captureBody, paths, paymentBody, voidBody } from "../../support/black-box/payments/hold-bodies.ts";
import { hold, type Payment, refund, voidHold } from "../../support/black-box/payments/holds.ts";
import { choicesOf, fieldsOf, unknownNumber } from "../../support/black-box/answers.ts";
import { sharePaymentFixture } from "../../support/black-box/payments/payment-fixture.ts";
import { expectCode, idr } from "../../support/black-box/transfers.ts";

const fixture = await sharePaymentFixture();
const { alpha, beta, control, hotel, merchant } = fixture;
const { additionalInfo } = await fixture.newPayer("100000.00");

const ask = (query: Json) => alpha.call(paths.query, query);
const place = (merchantId = merchant.merchantId, more: Json = {}, store?: string) =>
  hold(alpha, merchantId, {
    ...more,
    additionalInfo: { ...additionalInfo, ...(store !== undefined && { externalStoreId: store }) },
  });

async function expectFound(query: Json, { referenceNo }: Pick<Payment, "referenceNo">): Promise<void> {
  const answer = await ask(query);
  expectCode(answer, "2006400");
  assert.equal(answer.body["originalReferenceNo"], referenceNo, JSON.stringify(query));
}

/** 404xx01 with 07, the references echoed, and nothing else. */
async function expectNotFound(query: Json): Promise<void> {
  const answer = await ask(query);
  expectCode(answer, "4046401");
  const { latestTransactionStatus, transactionStatusDesc, ...echoed } = fieldsOf(answer);
  assert.deepEqual([latestTransactionStatus, transactionStatusDesc], ["07", "Not found"]);
  for (const [name, value] of Object.entries(echoed)) assert.equal(value, query[name], answer.text);
  for (const name of ["originalPartnerReferenceNo", "originalReferenceNo"]) assert.equal(echoed[name], query[name]);
}

const anyOf = (names: readonly string[], from: Json) => Object.fromEntries(names.map((name) => [name, from[name]]));

test("64: all references that are given must fit, in whatever combination", async () => {
  const [one, two] = [newNumber(), newNumber()];
  const payment = await place(hotel.merchantId, { subMerchantId: `SUB-${one}` }, `STORE-${one}`);
  const other = await place(merchant.merchantId, { subMerchantId: `SUB-${two}` }, `STORE-${two}`);
  const referencesOf = ({ referenceNo, partnerReferenceNo, merchantId }: Payment, number: string): Json => ({
    originalReferenceNo: referenceNo,
    originalPartnerReferenceNo: partnerReferenceNo,
    merchantId,
    subMerchantId: `SUB-${number}`,
    externalStoreId: `STORE-${number}`,
  });
  const [right, wrong] = [referencesOf(payment, one), referencesOf(other, two)];
  for (const names of choicesOf(Object.keys(right))) {
    await expectFound(anyOf(names, right), payment);
    await expectFound(anyOf(names, wrong), other);
    const mixes = names.length > 1 ? names : [];
    for (const name of mixes) await expectNotFound({ ...anyOf(names, right), [name]: wrong[name] });
  }
});

test("64 without a reference: the newest accepted payment that fits all that is given", async () => {
  const [sub, store] = [`SUB-${newNumber()}`, `STORE-${newNumber()}`];
  const bySub = { subMerchantId: sub };
  const byStore = { externalStoreId: store };
  const atHotel = await place(hotel.merchantId, bySub, store);
  const atMerchant = await place(merchant.merchantId, bySub, store);
  const plain = await place(hotel.merchantId);
  await expectFound({ merchantId: hotel.merchantId }, plain);
  await expectFound({ merchantId: merchant.merchantId }, atMerchant);
  await expectFound(bySub, atMerchant);
  await expectFound(byStore, atMerchant);
  await expectFound({ merchantId: hotel.merchantId, ...bySub }, atHotel);
  await expectFound({ merchantId: hotel.merchantId, ...byStore }, atHotel);
  await expectFound({ merchantId: hotel.merchantId, ...bySub, ...byStore }, atHotel);
  // Newest by when it was placed, whatever became of it; a rejected one is none.
  expectCode(await voidHold(alpha, atMerchant), "2006700");
  const rejected = paymentBody(merchant.merchantId, { ...bySub, additionalInfo, amount: idr("1000000000.00") });
  expectCode(await alpha.call(paths.payment, rejected), "4036314");
  await expectFound(bySub, atMerchant);
  for (const query of [
    {},
    { additionalInfo: { merchantId: hotel.merchantId } },
    { merchantId: "", subMerchantId: null },
    { merchantId: "nobody" },
    { merchantId: hotel.merchantId, subMerchantId: "SUB-of-nobody" },
    { subMerchantId: store },
    { ...bySub, externalStoreId: sub },
  ]) {
    const answer = await ask(query);
    assert.equal(answer.code, "4046401", answer.text);
    assert.equal(answer.body["latestTransactionStatus"], "07");
  }
});

test("64: numbers that are nobody's, malformed, or of something else are not found", async () => {
  const payment = await place();
  const { body } = await voidHold(alpha, payment, { voidAmount: idr("1.00") });
  const { referenceNo, partnerReferenceNo } = payment;
  const ours = [
    unknownNumber,
    "x",
    referenceNo.toLowerCase(),
    `${referenceNo}0`,
    String(body["voidNo"]),
    partnerReferenceNo,
  ];
  for (const originalReferenceNo of ours) await expectNotFound({ originalReferenceNo });
  for (const originalPartnerReferenceNo of [newNumber(), referenceNo, String(body["partnerVoidNo"])]) {
    await expectNotFound({ originalPartnerReferenceNo });
  }
});

test("another partner's payments are seen by none of the queries (D19)", async () => {
  const [sub, store, number] = [`SUB-${newNumber()}`, `STORE-${newNumber()}`, newNumber()];
  const { accountNo } = await fixture.newPayer("1000.00", { partnerId: "beta" });
  const payer = { sourceAccountNo: accountNo, externalStoreId: store };
  const merchantId = beta.partner.merchants[1] ?? "";
  const terms = { partnerReferenceNo: number, subMerchantId: sub, additionalInfo: payer };
  const theirs = await hold(beta, merchantId, terms);
  const changed = captureBody(theirs, { captureAmount: idr("1.00") });
  const released = voidBody(theirs, { voidAmount: idr("1.00") });
  expectCode(await beta.call(paths.capture, changed), "2006500");
  expectCode(await beta.call(paths.void, released), "2006700");
  const byReference = { originalReferenceNo: theirs.referenceNo };
  const queries = [byReference, { originalPartnerReferenceNo: number }, { merchantId }, { subMerchantId: sub }];
  for (const query of [...queries, { externalStoreId: store }]) {
    expectCode(await beta.call(paths.query, query), "2006400");
    expectCode(await ask(query), "4046401");
  }
  const { partnerCaptureNo } = changed;
  const { partnerVoidNo } = released;
  const changes = { ...byReference, merchantId };
  expectCode(await alpha.call(paths.captureQuery, { ...changes, partnerCaptureNo }), "4046601");
  expectCode(await alpha.call(paths.voidQuery, { ...changes, partnerVoidNo }), "4046801");
  // Its own under the same number is another payment.
  const own = await place(merchant.merchantId, { partnerReferenceNo: number });
  await expectFound({ originalPartnerReferenceNo: number }, own);
});

test("64 tells what is held and when it was paid, whatever was captured or refunded since", async () => {
  const body = paymentBody(merchant.merchantId, { amount: idr("80"), additionalInfo });
  const placed = await alpha.call(paths.payment, body);
  const { referenceNo, partnerReferenceNo, paidTime } = placed.body;
  const payment = {
    referenceNo: String(referenceNo),
    partnerReferenceNo: String(partnerReferenceNo),
    merchantId: merchant.merchantId,
  };
  const expected = (status: string, description: string, sums: Json) => ({
    paidTime,
    latestTransactionStatus: status,
    originalPartnerReferenceNo: partnerReferenceNo,
    originalReferenceNo: referenceNo,
    amount: idr("80.00"),
    transactionStatusDesc: description,
    additionalInfo: { mine: 1, ...sums, validUpTo: (placed.body["additionalInfo"] as Json)["validUpTo"] },
  });
  const found = async () => fieldsOf(await ask({ originalReferenceNo: referenceNo, additionalInfo: { mine: 1 } }));
  const none = { captured: "0.00", voided: "0.00", expired: "0.00", refunded: "0.00", remaining: "80.00" };
  assert.deepEqual(await found(), expected("01", "Initiated", none));
  expectCode(await alpha.call(paths.capture, captureBody(payment, { captureAmount: idr("30.00") })), "2006500");
  expectCode(await refund(alpha, payment, { refundAmount: idr("10.00") }), "2006900");
  expectCode(await voidHold(alpha, payment, { voidAmount: idr("5.50") }), "2006700");
  const some = { captured: "30.00", voided: "5.50", expired: "0.00", refunded: "10.00", remaining: "44.50" };
  assert.deepEqual(await found(), expected("02", "Paying", some));
  await fixture.advance(5);
  expectCode(
    await alpha.call(paths.capture, captureBody(payment, { captureAmount: idr("4.50"), lastCapture: "True" })),
    "2006500",
  );
  const closed = { captured: "34.50", voided: "45.50", expired: "0.00", refunded: "10.00", remaining: "0.00" };
  assert.deepEqual(await found(), expected("00", "Success", closed));
});

test("64: rejected is 06 with the newest rejection's amount and time, until a retry is accepted", async () => {
  const { accountNo } = await fixture.newPayer("10.00");
  const body = paymentBody(merchant.merchantId, {
    subMerchantId: "SUB-9",
    additionalInfo: { sourceAccountNo: accountNo, externalStoreId: "STORE-9" },
  });
  const { partnerReferenceNo: originalPartnerReferenceNo } = body;
  const pay = (value: string) => alpha.call(paths.payment, { ...body, amount: idr(value) });
  const query = { originalPartnerReferenceNo };
  const fits = { ...query, merchantId: merchant.merchantId, subMerchantId: "SUB-9", externalStoreId: "STORE-9" };
  for (const value of ["30.00", "20.00"]) {
    const rejected = await pay(value);
    expectCode(rejected, "4036314");
    for (const one of [query, fits]) {
      const { paidTime, amount, latestTransactionStatus } = (await ask(one)).body;
      assert.deepEqual([paidTime, amount, latestTransactionStatus], [rejected.body["paidTime"], idr(value), "06"]);
    }
    await fixture.advance(2);
  }
  for (const more of [{ merchantId: hotel.merchantId }, { subMerchantId: "SUB-8" }, { externalStoreId: "STORE-8" }]) {
    await expectNotFound({ ...query, ...more });
  }
  await expectNotFound({ ...query, originalReferenceNo: unknownNumber });
  expectCode(await pay("10.00"), "2006300");
  assert.equal((await ask(fits)).body["latestTransactionStatus"], "01");
  expectCode(await pay("20.00"), "4046318");
  assert.equal((await ask(query)).body["latestTransactionStatus"], "01");
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});

test("64: the request's additionalInfo comes back beside the record's, which wins", async () => {
  const payment = await place();
  const query = { originalReferenceNo: payment.referenceNo };
  const known = (await ask(query)).body["additionalInfo"] as Json;
  const { text, body } = await ask({ ...query, additionalInfo: { page: "7", captured: "1.00", validUpTo: "mine" } });
  assert.deepEqual(body["additionalInfo"], { page: "7", ...known }, text);
});
