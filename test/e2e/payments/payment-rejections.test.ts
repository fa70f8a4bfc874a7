/** Every business rejection of operation 63 (spec D6), by plain HTTP: exact code, echo (D8), nothing held, found by 64 as failed. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Answer, type Json, newNumber } from "../../support/black-box/caller.ts";
import { paths, paymentBody } from "../../support/black-box/payments/hold-bodies.ts";
import { capture, hold, voidHold } from "../../support/black-box/payments/holds.ts";
import { expectField, fieldsOf, startPaymentFixture } from "../../support/black-box/payments/payment-fixture.ts";
import { expectCode, idr, transferBody, transferPath } from "../../support/black-box/transfers.ts";

const fixture = await startPaymentFixture();
after(() => fixture[Symbol.asyncDispose]());
const { alpha, beta, control, hotel, merchant, sandbox } = fixture;
const { accounts } = sandbox.file;
const [bare, payer, empty, dollars, yen] = await Promise.all([
  fixture.newMerchant(),
  fixture.newPayer(),
  fixture.newPayer("0.00"),
  fixture.newPayer("1000.00", { currency: "USD" }),
  fixture.newPayer("1000", { currency: "JPY" }),
]);
const own = (status: string) =>
  accounts.find((one) => one.status === status && alpha.partner.sourceAccounts.includes(one.accountNo))?.accountNo ??
  "";
const foreign = beta.partner.sourceAccounts[0] ?? "";
const foreignMerchant = beta.partner.merchants[1] ?? "";
const merchantsPayer = sandbox.file.merchants[0]?.payerAccountNo ?? "";
const day = 86_400_000;

interface Row {
  readonly why: string;
  readonly code: string;
  /** The field the message names. */
  readonly field?: string;
  readonly merchantId?: string;
  /** Who pays; null: nobody is named. */
  readonly from?: string | null;
  readonly amount?: Json | null;
  /** The amount in the answer; that of the request where it is not said. */
  readonly answered?: Json;
}

const rows: readonly Row[] = [
  { why: "merchant unknown", merchantId: "nobody", code: "4046308" },
  { why: "another partner's merchant", merchantId: foreignMerchant, code: "4046308" },
  { why: "a merchant's id in other letters", merchantId: merchant.merchantId.toUpperCase(), code: "4046308" },
  { why: "the merchant comes before the payer", merchantId: "nobody", from: foreign, code: "4046308" },
  { why: "merchant unknown, no amount", merchantId: "nobody", amount: null, answered: idr("0.00"), code: "4046308" },
  { why: "payer unknown", from: "1001999999", code: "4036315" },
  { why: "payer of another partner", from: foreign, code: "4036315" },
  { why: "payer of ours that nobody was given", from: merchantsPayer, code: "4036315" },
  { why: "an account of our own", from: "funding:IDR", code: "4036315" },
  { why: "the merchant pays itself", merchantId: bare.merchantId, from: bare.settlement, code: "4036315" },
  {
    why: "nobody pays",
    merchantId: bare.merchantId,
    from: null,
    code: "4006302",
    field: "additionalInfo.sourceAccountNo",
  },
  { why: "no amount and no default", amount: null, answered: idr("0.00"), code: "4006302", field: "amount" },
  {
    why: "the payer comes before the amount",
    merchantId: bare.merchantId,
    from: null,
    amount: null,
    answered: idr("0.00"),
    code: "4006302",
    field: "additionalInfo.sourceAccountNo",
  },
  { why: "payer blocked", from: own("blocked"), code: "4036318" },
  { why: "payer closed", from: own("closed"), code: "4036318" },
  { why: "payer dormant", from: own("dormant"), code: "4036309" },
  { why: "state comes before amount", from: own("dormant"), amount: idr("0.00"), code: "4036309" },
  { why: "zero", amount: idr("0"), answered: idr("0.00"), code: "4046313" },
  { why: "zero comes before funds", from: empty.accountNo, amount: idr("0.0"), answered: idr("0.00"), code: "4046313" },
  { why: "nothing there", from: empty.accountNo, amount: idr("0.01"), code: "4036314" },
  { why: "one sen more than there is", amount: idr("1000.01"), code: "4036314" },
  { why: "the largest amount", amount: idr("9999999999999999.99"), code: "4036314" },
  {
    why: "the default amount is too much",
    merchantId: hotel.merchantId,
    amount: null,
    answered: idr("500000.00"),
    code: "4036314",
  },
  {
    why: "a currency nobody here has",
    amount: { value: "1.00", currency: "USD" },
    code: "4006301",
    field: "amount.currency",
  },
  { why: "a payer in dollars", from: dollars.accountNo, code: "4006301", field: "amount.currency" },
  {
    why: "dollars from dollars to a merchant in rupiah",
    from: dollars.accountNo,
    amount: { value: "1.5", currency: "USD" },
    answered: { value: "1.50", currency: "USD" },
    code: "4006301",
    field: "amount.currency",
  },
  {
    why: "half a yen",
    from: yen.accountNo,
    amount: { value: "1.5", currency: "JPY" },
    code: "4006301",
    field: "amount.value",
  },
];

function bodyOf({ merchantId = merchant.merchantId, from = payer.accountNo, amount = idr("1.00") }: Row): Json {
  const additionalInfo = { note: "kept", ...(from !== null && { sourceAccountNo: from }) };
  const { amount: _, ...body } = paymentBody(merchantId, { additionalInfo });
  return amount === null ? body : { ...body, amount };
}

function expectRejection(answer: Answer, row: Row, body: Json): void {
  const { why, code, field, answered = row.amount ?? idr("1.00") } = row;
  assert.equal(answer.code, code, `${why}: ${answer.text}`);
  if (field === undefined) expectCode(answer, code);
  else expectField(answer, code, field);
  const { paidTime, ...fields } = fieldsOf(answer);
  const { partnerReferenceNo, additionalInfo } = body;
  assert.deepEqual(fields, { amount: answered, partnerReferenceNo, additionalInfo }, why);
  const sinceDecision = Date.parse(String(answer.headers["x-timestamp"])) - Date.parse(String(paidTime));
  assert.ok(sinceDecision >= 0 && sinceDecision <= 2_000, `${why}: decided ${sinceDecision} ms before the answer`);
}

test("each rejection has its code, its amount and its time, echoes the request, and 64 tells it as failed", async () => {
  const watched = [payer, empty, dollars, yen].map(({ accountNo }) => accountNo);
  const look = () => Promise.all([...watched, foreign, merchantsPayer, bare.settlement].map(control.account));
  const before = await look();
  for (const row of rows) {
    const body = bodyOf(row);
    const answer = await alpha.call(paths.payment, body);
    expectRejection(answer, row, body);
    const originalPartnerReferenceNo = body["partnerReferenceNo"];
    const query = await alpha.call(paths.query, { originalPartnerReferenceNo });
    assert.deepEqual(
      fieldsOf(query),
      {
        paidTime: answer.body["paidTime"],
        latestTransactionStatus: "06",
        originalPartnerReferenceNo,
        amount: answer.body["amount"],
        transactionStatusDesc: "Failed",
      },
      row.why,
    );
  }
  assert.deepEqual(await look(), before);
});

test("another partner's merchant and payer are answered exactly as ones that do not exist (D19)", async () => {
  const answered = async (body: Json) => {
    const answer = await alpha.call(paths.payment, { ...body, partnerReferenceNo: newNumber() });
    const { partnerReferenceNo: _, paidTime: __, ...rest } = answer.body;
    return rest;
  };
  const fromAccount = (sourceAccountNo: string) =>
    paymentBody(merchant.merchantId, { additionalInfo: { sourceAccountNo } });
  assert.deepEqual(await answered(paymentBody(foreignMerchant)), await answered(paymentBody("beta-nothing")));
  const { additionalInfo: _, ...foreignPayer } = await answered(fromAccount(foreign));
  const { additionalInfo: __, ...noPayer } = await answered(fromAccount("1002999999"));
  assert.deepEqual(foreignPayer, noPayer);
});

test("a merchant whose account cannot be credited gets no new payment", async () => {
  const ownMerchant = await fixture.newMerchant();
  const pay = () =>
    alpha.call(
      paths.payment,
      paymentBody(ownMerchant.merchantId, { amount: idr("1.00"), additionalInfo: payer.additionalInfo }),
    );
  for (const [status, code] of [
    ["blocked", "4036318"],
    ["dormant", "4036309"],
    ["active", "2006300"],
    ["closed", "4036318"],
  ] as const) {
    await control.change(ownMerchant.settlement, { status });
    expectCode(await pay(), code);
  }
});

test("what is held cannot be spent again, by a hold or by a transfer, until it is released", async () => {
  const { accountNo, additionalInfo } = await fixture.newPayer("100.00");
  const pay = (value: string) =>
    alpha.call(paths.payment, paymentBody(merchant.merchantId, { amount: idr(value), additionalInfo }));
  const send = (value: string) => alpha.call(transferPath, transferBody({ from: accountNo, to: foreign, value }));
  const first = await hold(alpha, merchant.merchantId, { amount: idr("60.00"), additionalInfo });
  expectCode(await pay("40.01"), "4036314");
  expectCode(await send("40.01"), "4031714");
  expectCode(await send("10.00"), "2001700");
  expectCode(await pay("30.00"), "2006300");
  expectCode(await pay("0.01"), "4036314");
  expectCode(await voidHold(alpha, first, { voidAmount: idr("5.00") }), "2006700");
  expectCode(await pay("5.01"), "4036314");
  expectCode(await send("5.00"), "2001700");
  // What is captured was held already: nothing more is needed for it.
  expectCode(await capture(alpha, first), "2006500");
  const { ledgerBalance, availableBalance } = await control.account(accountNo);
  assert.deepEqual([ledgerBalance, availableBalance], ["30.00", "0.00"]);
});

test("validUpTo lies one minute to 90 days ahead, by our time; else it is named", async () => {
  const pay = async (ms: number, form = (time: string) => time) => {
    const { now } = await control.call<{ readonly now: string }>("GET", "clock");
    const validUpTo = form(new Date(Date.parse(now) + ms).toISOString());
    const additionalInfo = { ...payer.additionalInfo, validUpTo };
    return alpha.call(paths.payment, paymentBody(merchant.merchantId, { amount: idr("0.01"), additionalInfo }));
  };
  // The sandbox tells whole seconds, and some time passes until the decision.
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
test("limits of the payer: a payment, a day's sum, a day's count; a hold counts when placed, for good", async () => {
  const limits = { each: "100.00", daily: "250.00", dailyCount: 4 };
  const { accountNo, additionalInfo } = await fixture.newPayer("10000.00", { limits });
  const pay = (value: string) =>
    alpha.call(paths.payment, paymentBody(merchant.merchantId, { amount: idr(value), additionalInfo }));
  expectCode(await pay("100.01"), "4036302");
  const first = await hold(alpha, merchant.merchantId, { amount: idr("100.00"), additionalInfo });
  expectCode(await pay("100.00"), "2006300");
  expectCode(await pay("50.01"), "4036323");
  expectCode(await voidHold(alpha, first), "2006700");
  expectCode(await pay("50.01"), "4036323");
  expectCode(await pay("49.99"), "2006300");
  // Transfers and payments share a day.
  expectCode(await alpha.call(transferPath, transferBody({ from: accountNo, to: foreign, value: "0.02" })), "4031723");
  expectCode(await pay("0.01"), "2006300");
  // Both apply: the count comes before the sum.
  expectCode(await pay("0.01"), "4036304");
  await control.change(accountNo, { limits: { ...limits, dailyCount: 5 } });
  expectCode(await pay("0.01"), "4036323");

  await control.advance(86_400);
  await alpha.token({ fresh: true });
  expectCode(await pay("100.00"), "2006300");
  await control.change(accountNo, { limits: null });
  expectCode(await pay("5000.00"), "2006300");
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
