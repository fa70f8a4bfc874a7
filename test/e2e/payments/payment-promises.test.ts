/** Money is returned whatever changed since (spec D9): accounts and merchants that are not what they were, by plain HTTP. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { newNumber } from "../../support/black-box/caller.ts";
import { paths, paymentBody } from "../../support/black-box/payments/hold-bodies.ts";
import { capture, hold, holdOf, type Payment, refund, voidHold } from "../../support/black-box/payments/holds.ts";
import { eventually } from "../../support/black-box/answers.ts";
import { sharePaymentFixture } from "../../support/black-box/payments/payment-fixture.ts";
import { expectCode, idr, transferBody, transferPath } from "../../support/black-box/transfers.ts";

const fixture = await sharePaymentFixture();
const { alpha, control, sandbox } = fixture;
const elsewhere = sandbox.caller("beta").partner.sourceAccounts[0] ?? "";
const unapplied = "unclaimed:IDR";

/** A merchant and a payer of a test's own, and a hold of 100.00 between them with 40.00 captured. */
async function newWork() {
  const merchant = await fixture.newMerchant();
  const payer = await fixture.newPayer();
  const { additionalInfo } = payer;
  const payment = await hold(alpha, merchant.merchantId, { additionalInfo });
  expectCode(await capture(alpha, payment, { captureAmount: idr("40.00") }), "2006500");
  const place = () =>
    alpha.call(paths.payment, paymentBody(merchant.merchantId, { amount: idr("1.00"), additionalInfo }));
  const balances = async () => {
    const [paying, settled] = [await control.account(payer.accountNo), await control.account(merchant.settlement)];
    return [paying.ledgerBalance, paying.availableBalance, settled.ledgerBalance];
  };
  return { merchant, payer, payment, place, balances };
}

/** Balance of unapplied funds: nothing before the first. */
async function unappliedBalance(): Promise<bigint> {
  const [balance = 0n] = await control.balances(unapplied).catch(() => []);
  return balance;
}

async function changeInParts(payment: Payment): Promise<void> {
  expectCode(await capture(alpha, payment, { captureAmount: idr("10.00") }), "2006500");
  expectCode(await voidHold(alpha, payment, { voidAmount: idr("5.00") }), "2006700");
  expectCode(await refund(alpha, payment, { refundAmount: idr("20.00") }), "2006900");
}

test("captures, voids and refunds go on though payer and settlement account are blocked or dormant since", async () => {
  const { merchant, payer, payment, balances } = await newWork();
  for (const status of ["blocked", "dormant"]) {
    for (const accountNo of [payer.accountNo, merchant.settlement]) await control.change(accountNo, { status });
    await changeInParts(payment);
  }
  expectCode(await capture(alpha, payment, { captureAmount: idr("10.00"), lastCapture: "true" }), "2006500");
  expectCode(await refund(alpha, payment), "2006900");
  assert.deepEqual(await balances(), ["1000.00", "1000.00", "0.00"]);
  assert.equal((await holdOf(control, payment)).state, "refunded");
});

test("a hold of a blocked payer expires all the same, and its money is available when it is active again", async () => {
  const { payer, payment, balances } = await newWork();
  await control.change(payer.accountNo, { status: "blocked" });
  await fixture.advance(7 * 86_400);
  assert.deepEqual(await balances(), ["960.00", "960.00", "40.00"]);
  assert.equal((await holdOf(control, payment)).state, "lapsed");
});

test("a suspended merchant gets no new payment; what it was promised goes on", async () => {
  const { merchant, payment, place } = await newWork();
  const verb = (what: string) => fixture.titian("merchant", what, merchant.merchantId, "--partner", "alpha");
  await verb("suspend");
  await eventually(async () => (await place()).code === "4046308");
  await changeInParts(payment);
  expectCode(await capture(alpha, payment), "2006500");
  const query = await alpha.call(paths.query, { originalReferenceNo: payment.referenceNo });
  assert.equal(query.body["latestTransactionStatus"], "00");
  expectCode(await refund(alpha, payment), "2006900");
  await verb("resume");
  await eventually(async () => (await place()).code === "2006300");
});

test("payer and merchant keep the accounts they had when the hold was placed", async () => {
  const { merchant, payment, balances } = await newWork();
  const other = await fixture.newPayer("0.00");
  const terms = ["--partner", "alpha", "--settlement-account", other.accountNo, "--default-hold", "7.00"];
  await fixture.titian("merchant", "change", merchant.merchantId, ...terms);
  const { additionalInfo } = await fixture.newPayer();
  const { amount: _, ...body } = paymentBody(merchant.merchantId, { additionalInfo });
  await eventually(async () => {
    const { body: placed } = await alpha.call(paths.payment, { ...body, partnerReferenceNo: newNumber() });
    return JSON.stringify(placed["amount"]) === JSON.stringify(idr("7.00"));
  });
  expectCode(await capture(alpha, payment), "2006500");
  assert.deepEqual(await balances(), ["900.00", "900.00", "100.00"]);
  assert.equal((await control.account(other.accountNo)).ledgerBalance, "0.00");
});

test("a capture for a closed settlement account becomes unapplied funds; its refund still needs the merchant's money", async () => {
  const { merchant, payment, balances } = await newWork();
  const before = await unappliedBalance();
  await control.change(merchant.settlement, { status: "closed" });
  expectCode(await capture(alpha, payment, { captureAmount: idr("50.00") }), "2006500");
  assert.equal((await unappliedBalance()) - before, 5_000n);
  assert.deepEqual(await balances(), ["910.00", "900.00", "40.00"]);
  // The account was closed with money on it, which the merchant still owes.
  expectCode(await refund(alpha, payment, { refundAmount: idr("40.01") }), "4036914");
  expectCode(await refund(alpha, payment, { refundAmount: idr("40.00") }), "2006900");
  expectCode(await voidHold(alpha, payment), "2006700");
  assert.deepEqual(await balances(), ["950.00", "950.00", "0.00"]);
});

test("an account with something held cannot be closed; a refund to a closed payer becomes unapplied funds", async () => {
  const { payer, payment, balances } = await newWork();
  const close = () => control.change(payer.accountNo, { status: "closed" });
  await assert.rejects(close(), /: 409 .*"accountInUse"/);
  expectCode(await voidHold(alpha, payment, { voidAmount: idr("59.99") }), "2006700");
  await assert.rejects(close(), /: 409 .*"accountInUse"/);
  expectCode(await voidHold(alpha, payment), "2006700");
  assert.equal((await close()).status, "closed");
  const before = await unappliedBalance();
  const back = await refund(alpha, payment, { refundAmount: idr("25.00") });
  expectCode(back, "2006900");
  assert.deepEqual(back.body["refundAmount"], idr("25.00"));
  assert.equal((await unappliedBalance()) - before, 2_500n);
  assert.deepEqual(await balances(), ["960.00", "960.00", "15.00"]);
  expectCode(await refund(alpha, payment), "2006900");
  assert.equal((await unappliedBalance()) - before, 4_000n);
});

test("money held is not the merchant's: a refund takes only what its own available balance covers", async () => {
  const { merchant, payment } = await newWork();
  // The merchant pays somebody else out of the account its money comes to.
  const additionalInfo = { sourceAccountNo: merchant.settlement };
  const own = await hold(alpha, fixture.merchant.merchantId, { amount: idr("30.00"), additionalInfo });
  expectCode(await refund(alpha, payment, { refundAmount: idr("10.01") }), "4036914");
  expectCode(await refund(alpha, payment, { refundAmount: idr("10.00") }), "2006900");
  expectCode(await voidHold(alpha, own), "2006700");
  const away = transferBody({ from: merchant.settlement, to: elsewhere, value: "1.00" });
  expectCode(await alpha.call(transferPath, away), "2001700");
  expectCode(await refund(alpha, payment), "4036914");
  expectCode(await refund(alpha, payment, { refundAmount: idr("29.00") }), "2006900");
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
