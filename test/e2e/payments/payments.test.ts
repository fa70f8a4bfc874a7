/** Authorized payments by plain HTTP: a hold, its captures, voids, refunds and expiry, and where the money is meanwhile. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { paths } from "../../support/black-box/payments/hold-bodies.ts";
import { capture, hold, holdOf, refund, voidHold } from "../../support/black-box/payments/holds.ts";
import { sharePaymentFixture } from "../../support/black-box/payments/payment-fixture.ts";
import { idr } from "../../support/black-box/transfers.ts";

const fixture = await sharePaymentFixture();
const { alpha, control, newPayer } = fixture;
const { settlement, merchantId: merchant } = fixture.merchant;
const hotel = fixture.hotel.merchantId;

test("a hold lowers the available balance alone; captures move money; the rest comes back", async () => {
  const { accountNo, additionalInfo } = await newPayer();
  const [merchantBefore = 0n] = await control.balances(settlement);
  const payment = await hold(alpha, merchant, { amount: idr("100.00"), additionalInfo });
  assert.deepEqual(
    [(await control.account(accountNo)).ledgerBalance, (await control.account(accountNo)).availableBalance],
    ["1000.00", "900.00"],
  );
  const first = await capture(alpha, payment, { captureAmount: idr("30.00") });
  assert.equal(first.code, "2006500", first.text);
  assert.deepEqual(first.body["captureAmount"], idr("30.00"));
  const last = await capture(alpha, payment, { captureAmount: idr("20.00"), lastCapture: "TRUE" });
  assert.equal(last.code, "2006500", last.text);
  assert.deepEqual(
    [(await control.account(accountNo)).ledgerBalance, (await control.account(accountNo)).availableBalance],
    ["950.00", "950.00"],
  );
  const [merchantAfter = 0n] = await control.balances(settlement);
  assert.equal(merchantAfter - merchantBefore, 5_000n);
  const { held, captured, voided, expired, refunded, remaining, state } = await holdOf(control, payment);
  assert.deepEqual(
    [held, captured, voided, expired, refunded, remaining, state],
    ["100.00", "50.00", "50.00", "0.00", "0.00", "0.00", "captured"],
  );
  const back = await refund(alpha, payment, { refundAmount: idr("40.00") });
  assert.equal(back.code, "2006900", back.text);
  assert.equal(back.body["originalReferenceNo"], payment.referenceNo);
  assert.equal(back.body["originalCaptureNo"], undefined);
  assert.equal((await refund(alpha, payment)).code, "2006900");
  assert.equal((await holdOf(control, payment)).state, "refunded");
  assert.equal((await control.account(accountNo)).ledgerBalance, "1000.00");
});

test("a hold past its time is expired for every command, and its money is available again", async () => {
  const { accountNo, additionalInfo } = await newPayer();
  const payment = await hold(alpha, hotel, { additionalInfo });
  const partly = await hold(alpha, hotel, { additionalInfo });
  const captured = await capture(alpha, partly, { captureAmount: idr("10.00") });
  await fixture.advance(7 * 86_400 + 1);
  assert.equal((await control.account(accountNo)).availableBalance, "990.00");
  assert.equal((await capture(alpha, payment)).code, "4046500");
  assert.equal((await voidHold(alpha, payment)).code, "4046700");
  const query = await alpha.call(paths.query, { originalReferenceNo: payment.referenceNo });
  assert.equal(query.body["latestTransactionStatus"], "05", query.text);
  const unnamed = await refund(alpha, partly);
  assert.equal(unnamed.code, "4006902", unnamed.text);
  const named = await refund(alpha, partly, { originalCaptureNo: captured.body["captureNo"] });
  assert.equal(named.code, "2006900", named.text);
  assert.equal(named.body["originalCaptureNo"], captured.body["captureNo"]);
  assert.equal(named.body["originalReferenceNo"], undefined);
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
