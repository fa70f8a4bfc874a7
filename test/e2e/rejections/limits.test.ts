/** Limits of a debit by what was done before it, and by how far it may go (spec D6, D11), by plain HTTP. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { paths, paymentBody } from "../../support/black-box/payments/hold-bodies.ts";
import { capture, hold, voidHold } from "../../support/black-box/payments/holds.ts";
import { expectField } from "../../support/black-box/answers.ts";
import { interbank, type RailService, railServices, rtgs, skn } from "../../support/black-box/rails/rail-services.ts";
import { inquire } from "../../support/black-box/rails/rail-transfers.ts";
import { expectCode, idr, transferBody, transferPath } from "../../support/black-box/transfers.ts";
import { startWrites } from "../../support/black-box/writes/all-writes.ts";

const { rails, payments, ...started } = await startWrites();
after(() => started[Symbol.asyncDispose]());
const { alpha, beta, control } = rails;
const { merchantId } = payments.merchant;
const foreign = beta.partner.sourceAccounts[0] ?? "";
const day = 86_400_000;

/** A payer who pays by 17, and by 63. */
async function newPayer(balance: string, more = {}) {
  const { accountNo, additionalInfo } = await payments.newPayer(balance, more);
  const placed = (value: string, info = {}) => ({ amount: idr(value), additionalInfo: { ...additionalInfo, ...info } });
  return {
    accountNo,
    send: (value: string) => alpha.call(transferPath, transferBody({ from: accountNo, to: foreign, value })),
    pay: (value: string, info = {}) => alpha.call(paths.payment, paymentBody(merchantId, placed(value, info))),
    hold: (value: string) => hold(alpha, merchantId, placed(value)),
  };
}

test("17: limits of an account: a transfer, a day's sum, a day's count", async () => {
  const limits = { each: "100.00", daily: "250.00", dailyCount: 4 };
  const { accountNo, send } = await newPayer("10000.00", { limits });
  expectCode(await send("100.01"), "4031702");
  expectCode(await send("100.00"), "2001700");
  expectCode(await send("100.00"), "2001700");
  expectCode(await send("50.01"), "4031723");
  expectCode(await send("49.99"), "2001700");
  expectCode(await send("0.01"), "2001700");
  // Both apply: the count comes before the sum.
  expectCode(await send("0.01"), "4031704");
  await control.change(accountNo, { limits: { each: "100.00", daily: "250.00" } });
  expectCode(await send("0.01"), "4031723");
  await control.change(accountNo, { limits: null });
  expectCode(await send("500.00"), "2001700");
});

test("17: an account blocked, woken and closed over the control API is rejected and served at once", async () => {
  const { accountNo, send } = await newPayer("500.00");
  for (const [status, code] of [
    ["blocked", "4031718"],
    ["active", "2001700"],
    ["dormant", "4031709"],
    ["active", "2001700"],
  ] as const) {
    assert.equal((await control.change(accountNo, { status })).status, status);
    expectCode(await send("1.00"), code);
  }
  assert.equal((await control.account(accountNo)).ledgerBalance, "498.00");
});

test("18, 22, 23: the least and the most that each rail carries, and the least that a fee leaves something of, go through", async () => {
  const rich = await rails.newPayer("10000000000.00");
  const cases: readonly (readonly [service: RailService, value: string, feeType?: string])[] = [
    [interbank, "1.00"],
    [interbank, "250000000.00"],
    [interbank, "2500.01", "BEN"],
    [interbank, "1500.01", "SHA"],
    [rtgs, "100000000.01"],
    [rtgs, "100000000.01", "BEN"],
    [rtgs, "5000000000.00"],
    [skn, "1"],
    [skn, "1000000000.00"],
    [skn, "2900.01", "BEN"],
    [skn, "1900.01", "1000"],
  ];
  for (const [service, value, feeType] of cases) {
    await rails.send(service, rich, { amount: idr(value), feeType }, `200${service.service}00`);
  }
  await rails.advance(3_600);
  await control.call("POST", "rails/skn/settle");
  // Sent amount, behind a fee that took the rest of it.
  const { entries } = await control.call<{ readonly entries: readonly { readonly amount: string }[] }>(
    "GET",
    `accounts/${encodeURIComponent("clearing:interbank:IDR")}/entries`,
  );
  assert.equal(entries.filter(({ amount: moved }) => moved === "0.01").length, 2);
});

test("18, 22, 23: a bank is reached by its three digits, its BIC of 8, and any branch's BIC of 11", async () => {
  const payer = await rails.newPayer();
  for (const beneficiaryBankCode of ["014", "CENAIDJA", "CENAIDJAXXX", "CENAIDJAABC"]) {
    for (const service of railServices) {
      const answer = await rails.send(service, payer, { beneficiaryBankCode }, `200${service.service}00`);
      const found = await inquire(alpha, service, answer);
      assert.equal(found.body["beneficiaryBankCode"], beneficiaryBankCode);
    }
  }
});

test("63: a merchant whose account cannot be credited gets no new payment", async () => {
  const merchant = await payments.newMerchant();
  const { additionalInfo } = await payments.newPayer();
  const terms = { amount: idr("1.00"), additionalInfo };
  for (const [status, code] of [
    ["blocked", "4036318"],
    ["dormant", "4036309"],
    ["active", "2006300"],
    ["closed", "4036318"],
  ] as const) {
    await control.change(merchant.settlement, { status });
    expectCode(await alpha.call(paths.payment, paymentBody(merchant.merchantId, terms)), code);
  }
});

test("what is held cannot be spent again, by a hold or by a transfer, until it is released", async () => {
  const { accountNo, pay, send, ...payer } = await newPayer("100.00");
  const first = await payer.hold("60.00");
  expectCode(await pay("40.01"), "4036314");
  expectCode(await send("40.01"), "4031714");
  expectCode(await send("10.00"), "2001700");
  expectCode(await pay("30.00"), "2006300");
  expectCode(await pay("0.01"), "4036314");
  expectCode(await voidHold(alpha, first, { voidAmount: idr("5.00") }), "2006700");
  expectCode(await pay("5.01"), "4036314");
  expectCode(await send("5.00"), "2001700");
  // A captured amount was held already: nothing more is needed for it.
  expectCode(await capture(alpha, first), "2006500");
  const { ledgerBalance, availableBalance } = await control.account(accountNo);
  assert.deepEqual([ledgerBalance, availableBalance], ["30.00", "0.00"]);
});

test("63: validUpTo lies one minute to 90 days ahead, by our time; else it is named", async () => {
  const payer = await newPayer("1000.00");
  const pay = async (ms: number, form = (time: string) => time) => {
    const { now } = await control.call<{ readonly now: string }>("GET", "clock");
    return payer.pay("0.01", { validUpTo: form(new Date(Date.parse(now) + ms).toISOString()) });
  };
  // The sandbox shows whole seconds, and some time passes until the decision.
  for (const ms of [-day, 0, 55_000, 90 * day + 10_000, 365 * day]) {
    const answer = await pay(ms);
    expectField(answer, "4006301", "additionalInfo.validUpTo");
    assert.deepEqual(answer.body["amount"], idr("0.01"));
  }
  for (const ms of [75_000, 90 * day - 5_000]) expectCode(await pay(ms), "2006300");
  const seconds = (time: string) => time.slice(0, 19);
  // Without an offset it is Jakarta's time (D5): seven hours earlier than as UTC.
  expectCode(await pay(7 * 3_600_000 + 75_000, seconds), "2006300");
  expectField(await pay(7 * 3_600_000 - 75_000, seconds), "4006301", "additionalInfo.validUpTo");
});

// Last: the clock only moves forward.
test("63: limits of the payer: a payment, a day's sum, a day's count; a hold counts when placed, for good", async () => {
  const limits = { each: "100.00", daily: "250.00", dailyCount: 4 };
  const { accountNo, pay, send, ...payer } = await newPayer("10000.00", { limits });
  expectCode(await pay("100.01"), "4036302");
  const first = await payer.hold("100.00");
  expectCode(await pay("100.00"), "2006300");
  expectCode(await pay("50.01"), "4036323");
  expectCode(await voidHold(alpha, first), "2006700");
  expectCode(await pay("50.01"), "4036323");
  expectCode(await pay("49.99"), "2006300");
  // Transfers and payments share a day.
  expectCode(await send("0.02"), "4031723");
  expectCode(await pay("0.01"), "2006300");
  // Both apply: the count comes before the sum.
  expectCode(await pay("0.01"), "4036304");
  await control.change(accountNo, { limits: { ...limits, dailyCount: 5 } });
  expectCode(await pay("0.01"), "4036323");

  await rails.advance(86_400);
  expectCode(await pay("100.00"), "2006300");
  await control.change(accountNo, { limits: null });
  expectCode(await pay("5000.00"), "2006300");
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
