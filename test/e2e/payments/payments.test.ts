/** Authorized payments by plain HTTP: a hold, its captures, voids, refunds and expiry, and where the money is meanwhile. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newNumber } from "../../support/black-box/caller.ts";
import { captureBody, paths, paymentBody } from "../../support/black-box/payments/hold-bodies.ts";
import { capture, hold, holdOf, refund, voidHold } from "../../support/black-box/payments/holds.ts";
import { startSandbox } from "../../support/black-box/start-sandbox.ts";
import { idr } from "../../support/black-box/transfers.ts";

const sandbox = await startSandbox();
after(() => sandbox[Symbol.asyncDispose]());
const { control, file } = sandbox;
const alpha = sandbox.caller("alpha");
const [hotel = "", merchant = ""] = alpha.partner.merchants;
const merchantOf = (merchantId: string) =>
  file.merchants.find((one) => one.merchantId === merchantId) ?? assert.fail(`no merchant ${merchantId}`);
const settlement = merchantOf(merchant).settlementAccountNo;

/** A payer of its own for each test, so that its balances are exact. */
async function newPayer(balance = "1000.00") {
  const { accountNo } = await control.open({ name: "A payer", balance, partnerId: "alpha" });
  return { accountNo, additionalInfo: { sourceAccountNo: accountNo } };
}

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
  await control.advance(7 * 86_400 + 1);
  await alpha.token({ fresh: true });
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

test("a capture repeated with the same id, the same number, or another amount charges once", async () => {
  const { accountNo, additionalInfo } = await newPayer();
  const payment = await hold(alpha, merchant, { additionalInfo });
  const body = captureBody(payment, { captureAmount: idr("10.00") });
  const externalId = newNumber();
  const first = await alpha.call(paths.capture, body, { externalId });
  const again = await alpha.call(paths.capture, body, { externalId });
  assert.equal(again.code, "4096500", again.text);
  const { originalResponse, latestTransactionStatus } = again.body["additionalInfo"] as Record<string, unknown>;
  assert.deepEqual([originalResponse, latestTransactionStatus], [first.body, "00"]);
  assert.equal((await alpha.call(paths.capture, body)).code, "4096501");
  const other = await alpha.call(paths.capture, { ...body, captureAmount: idr("11.00") });
  assert.equal(other.code, "4046518", other.text);
  assert.equal((await control.account(accountNo)).ledgerBalance, "990.00");
});

test("a rejected payment is answered with its amount and its time, and a query of it says so", async () => {
  const { additionalInfo } = await newPayer("5.00");
  const body = paymentBody(merchant, { additionalInfo });
  const rejected = await alpha.call(paths.payment, body);
  assert.equal(rejected.code, "4036314", rejected.text);
  assert.deepEqual(rejected.body["amount"], idr("100.00"));
  assert.ok(rejected.body["paidTime"]);
  assert.equal(rejected.body["referenceNo"], undefined);
  const query = await alpha.call(paths.query, { originalPartnerReferenceNo: body["partnerReferenceNo"] });
  assert.equal(query.body["latestTransactionStatus"], "06", query.text);
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
