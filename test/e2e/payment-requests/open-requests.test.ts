/** Limits of requests for payment (19) by payer and time, and payers that cannot be asked (spec D12). */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Answer, createCaller, type Json, newNumber } from "../../support/black-box/caller.ts";
import {
  countPaymentRequests,
  expectRequestStatus,
  payerAt,
  paymentRequestBody,
  paymentRequestPath,
  requestPayment,
} from "../../support/black-box/payment-requests.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { expectCode, transferBody, transferPath } from "../../support/black-box/transfers.ts";

const ofPartnerMax = 10;
const ofPayerMax = 14;
const settings = { TITIAN_OPEN_PAYMENT_REQUESTS_OF_PAYER_MAX: String(ofPayerMax), TITIAN_HIDE_PAYERS: "1" };
const fixture = await startRailFixture(settings);
await fixture.moveTo(fixture.at(0, "10:00:01"));
const second = await fixture.sandbox.startNode(settings);
after(async () => {
  await second[Symbol.asyncDispose]();
  await fixture[Symbol.asyncDispose]();
});
const { alpha, beta, control, sandbox } = fixture;
const payer = payerAt(fixture);
const day = 86_400_000;
const alphaOnSecond = createCaller({ ...sandbox.file, baseUrl: second.baseUrl }, "alpha", sandbox.agent);

const newHolder = async (more: Json = {}) =>
  (await control.open({ name: "A holder", balance: "1000000.00", ...more })).accountNo;
const send = (from: string, more: Json = {}, caller = alpha) =>
  caller.call(paymentRequestPath, paymentRequestBody(fixture, from, more));
const ask = async (from: string, count: number, caller = alpha): Promise<readonly Answer[]> => {
  const answers = await Promise.all(Array.from({ length: count }, () => send(from, {}, caller)));
  for (const answer of answers) expectCode(answer, "2001900");
  return answers;
};

function expectFull(answer: Answer): void {
  expectCode(answer, "4031904");
  assert.ok(answer.message.endsWith(" [Open requests]"), answer.message);
}

test("of 30 at once from one partner to one payer, over two nodes, exactly 10 are accepted", async () => {
  const from = await newHolder();
  const callers = [alpha, alphaOnSecond];
  const sent = Array.from({ length: 30 }, (_, index) => send(from, {}, callers[index % 2]));
  const answers = await Promise.all(sent);
  const accepted = answers.filter(({ code }) => code === "2001900");
  assert.equal(accepted.length, ofPartnerMax);
  for (const answer of answers) if (!accepted.includes(answer)) expectFull(answer);
  assert.equal(await countPaymentRequests(sandbox.file, from), ofPartnerMax);
  // Another payer's and another partner's are their own.
  await ask(await newHolder(), 1);
  await ask(from, 1, beta);
});

test("an answer of the payer and the end of a request's time make room for another", async () => {
  const from = await newHolder();
  const requests = await ask(from, ofPartnerMax - 1);
  const now = Date.parse((await control.call<{ readonly now: string }>("GET", "clock")).now);
  const short = new Date(now + 60_000).toISOString();
  await requestPayment(fixture, from, { expiredDatetime: short });
  expectFull(await send(from));
  const [declined, approved] = requests as [Answer, Answer];
  await payer.decline(declined);
  await ask(from, 1);
  expectFull(await send(from));
  await payer.approve(approved);
  await ask(from, 1);
  expectFull(await send(from));
  await fixture.advance(61);
  await ask(from, 1);
  const full = { partnerReferenceNo: newNumber() };
  expectFull(await send(from, full));
  const inquiry = { serviceCode: "19", originalPartnerReferenceNo: full.partnerReferenceNo };
  const { body } = await alpha.call("transfer/status", inquiry);
  assert.deepEqual([body["latestTransactionStatus"], body["previousResponseCode"]], ["06", "4031904"]);
});

test("all partners together have a bound on one payer; the answer is the same, and a transfer of the payer is none of it", async () => {
  const from = await newHolder({ partnerId: "alpha" });
  const [other = ""] = beta.partner.sourceAccounts;
  const [, answers] = [await ask(from, ofPartnerMax), await ask(from, ofPayerMax - ofPartnerMax, beta)];
  const rejected = await send(from, {}, beta);
  expectFull(rejected);
  expectFull(await send(from));
  expectCode(await alpha.call(transferPath, transferBody({ from, to: other })), "2001700");
  const metrics = await (await fetch(`${sandbox.file.baseUrl}/metrics`)).text();
  assert.match(metrics, /^titian_payment_requests_payer_full_total(\{cell="0"\})? [1-9]/m);
  assert.equal(sandbox.service.output().split('"event":"payment_request.payer_full"').length, 2, "once a minute");
  await payer.decline(answers[0] as Answer);
  await ask(from, 1, beta);
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});

test("expiredDatetime is at most 90 days ahead", async () => {
  const now = Date.parse((await control.call<{ readonly now: string }>("GET", "clock")).now);
  const ahead = async (ms: number) => send(await newHolder(), { expiredDatetime: new Date(now + ms).toISOString() });
  expectCode(await ahead(90 * day), "2001900");
  for (const ms of [90 * day + 60_000, 365 * day]) {
    const answer = await ahead(ms);
    expectCode(answer, "4001901");
    assert.ok(answer.message.endsWith(" expiredDatetime"), answer.message);
  }
});

test("the payer's same answer again changes nothing and is a success; another one is rejected", async () => {
  const from = await newHolder();
  const again = async (answer: () => Promise<Json>) => {
    const first = await answer();
    assert.deepEqual(await answer(), first);
    return first;
  };
  const isWrongState = (error: unknown) =>
    error instanceof Error && error.message.includes('409 {"error":{"code":"wrongState"');
  const [fixed, open, declined] = [
    await requestPayment(fixture, from),
    await requestPayment(fixture, from, { amount: undefined }),
    await requestPayment(fixture, from),
  ];
  const spent = async () => (await control.account(from)).ledgerBalance;
  await again(() => payer.approve(fixed));
  await again(() => payer.approve(fixed, { amount: "10000.00" }));
  await assert.rejects(payer.approve(fixed, { amount: "10000.01" }), isWrongState);
  await assert.rejects(payer.decline(fixed), isWrongState);
  assert.equal(await spent(), "987500.00");
  await again(() => payer.approve(open, { amount: "500.00" }));
  await assert.rejects(payer.approve(open, { amount: "501.00" }), isWrongState);
  assert.equal(await spent(), "984500.00");
  await again(() => payer.decline(declined));
  await assert.rejects(payer.approve(declined), isWrongState);
  assert.equal(await spent(), "984500.00");
  await expectRequestStatus(alpha, declined, "05");
});

test("where the bank hides it, a payer that cannot be asked is one answer, whatever its state", async () => {
  const inState = async (status: string) => {
    const accountNo = await newHolder({ balance: "0.00" });
    await control.change(accountNo, { status });
    return accountNo;
  };
  const partnerReferenceNo = newNumber();
  const hidden = await Promise.all(["blocked", "closed", "dormant"].map(inState));
  const dollars = await newHolder({ currency: "USD", balance: "0.00" });
  await control.change(dollars, { status: "closed" });
  const texts = new Set<string>();
  for (const from of ["7777777777", "funding:IDR", ...hidden, dollars]) {
    const answer = await send(from, { partnerReferenceNo });
    expectCode(answer, "4041911");
    texts.add(answer.text);
  }
  assert.deepEqual(
    [...texts].map((text) => JSON.parse(text) as Json),
    [
      {
        responseCode: "4041911",
        responseMessage: "Invalid Card/Account/Customer/Virtual Account [Unknown source account]",
        partnerReferenceNo,
      },
    ],
  );
});
