/** `Authorization-Customer` with 63 to 69 (spec D2, D10) by plain HTTP: who pays, whose hold it is, who must send it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer, Json } from "../../support/black-box/caller.ts";
import { captureBody, paths, paymentBody, refundBody, voidBody } from "../../support/black-box/payments/hold-bodies.ts";
import { holdOf, type Payment } from "../../support/black-box/payments/holds.ts";
import { expectField } from "../../support/black-box/answers.ts";
import { sharePaymentFixture } from "../../support/black-box/payments/payment-fixture.ts";
import { expectCode, idr } from "../../support/black-box/transfers.ts";

const fixture = await sharePaymentFixture();
const { alpha, control, merchant } = fixture;
const strict = await fixture.newMerchant("--customer-token", "required");

type Send = (path: string, body: Json) => Promise<Answer>;

interface Customer {
  readonly accountNo: string;
  /** Calls with the customer's token. */
  readonly send: Send;
}

/** Somebody whose account alpha was not given, but has a token for. */
async function newCustomer(balance = "1000.00"): Promise<Customer> {
  const { accountNo } = await control.open({ name: "A customer", balance });
  const { authCode } = await control.call("POST", "auth-codes", { partnerId: "alpha", accountNo });
  const { body } = await alpha.askToken("access-token/b2b2c", { grantType: "authorization_code", authCode });
  const headers = { "Authorization-Customer": `Bearer ${String(body["accessToken"])}` };
  return { accountNo, send: (path, sent) => alpha.call(path, sent, { headers }) };
}

const [siti, budi] = [await newCustomer(), await newCustomer()];
const alone: Send = (path, body) => alpha.call(path, body);
const naming = (sourceAccountNo: string): Json => ({ additionalInfo: { sourceAccountNo } });
const available = async (accountNo: string) => (await control.account(accountNo)).availableBalance;

async function place(send: Send, merchantId: string, more: Json = {}): Promise<Payment> {
  const answer = await send(paths.payment, paymentBody(merchantId, more));
  expectCode(answer, "2006300");
  const { referenceNo, partnerReferenceNo } = answer.body;
  return { referenceNo: String(referenceNo), partnerReferenceNo: String(partnerReferenceNo), merchantId };
}

test("the customer of the token pays, whatever else is configured, and must be who the request names", async () => {
  const { payerAccountNo = "" } =
    fixture.sandbox.file.merchants.find((one) => one.merchantId === merchant.merchantId) ?? {};
  const before = await available(payerAccountNo);
  const { accountNo, send } = await newCustomer();
  await place(send, merchant.merchantId, { amount: idr("10.00") });
  await place(send, merchant.merchantId, { amount: idr("10.00"), ...naming(accountNo) });
  assert.equal(await available(accountNo), "980.00");
  const pay = (more: Json) => send(paths.payment, paymentBody(merchant.merchantId, more));
  // Alpha may debit the one it names here, but not for this customer.
  const { accountNo: another } = await fixture.newPayer();
  for (const other of [another, payerAccountNo, "1001999999", budi.accountNo]) {
    expectCode(await pay(naming(other)), "4046301");
  }
  // Without the token the account is none of alpha's.
  expectCode(await alone(paths.payment, paymentBody(merchant.merchantId, naming(accountNo))), "4036315");
  // It is never passed over because it fails.
  expectCode(await pay({ amount: idr("980.01") }), "4036314");
  for (const [status, code] of [
    ["blocked", "4036318"],
    ["dormant", "4036309"],
  ] as const) {
    await control.change(accountNo, { status });
    expectCode(await pay({ amount: idr("1.00") }), code);
  }
  assert.equal(await available(accountNo), "980.00");
  assert.equal(await available(payerAccountNo), before);
});

test("who the customer is belongs to a payment's content", async () => {
  const body = paymentBody(merchant.merchantId);
  expectCode(await siti.send(paths.payment, body), "2006300");
  expectCode(await siti.send(paths.payment, { ...body, title: "Another" }), "4096301");
  expectCode(await budi.send(paths.payment, body), "4046318");
  expectCode(await alone(paths.payment, body), "4046318");
});

type Call = readonly [service: string, path: string, body: Json];

/** Every change of a hold by all references, and by as few as will do. */
function changesOf(payment: Payment): readonly Call[] {
  const one = idr("1.00");
  return [
    ["65", paths.capture, captureBody(payment, { captureAmount: one })],
    ["67", paths.void, voidBody(payment, { voidAmount: one })],
    ["69", paths.refund, refundBody(payment, { refundAmount: idr("0.40"), merchantId: payment.merchantId })],
    ["69", paths.refund, refundBody(payment, { refundAmount: idr("0.60") })],
  ];
}

/** Every query of it, and of the changes that were made. */
function queriesOf(
  { referenceNo, partnerReferenceNo, merchantId }: Payment,
  changes: readonly Call[],
): readonly Call[] {
  const [partnerCaptureNo, partnerVoidNo] = changes.map(
    ([, , body]) => body["partnerCaptureNo"] ?? body["partnerVoidNo"],
  );
  const known = { originalReferenceNo: referenceNo, merchantId };
  return [
    ["64", paths.query, { originalReferenceNo: referenceNo }],
    ["64", paths.query, { originalPartnerReferenceNo: partnerReferenceNo, merchantId }],
    ["66", paths.captureQuery, { ...known, partnerCaptureNo }],
    ["68", paths.voidQuery, { ...known, partnerVoidNo }],
  ];
}

test("a merchant may ask for the customer's token: without it 401xx04 on 63 to 69, and nothing is done", async () => {
  const body = paymentBody(strict.merchantId);
  const named = { ...body, ...naming((await fixture.newPayer()).accountNo) };
  expectCode(await alone(paths.payment, named), "4016304");
  const byNumber = { originalPartnerReferenceNo: body["partnerReferenceNo"] };
  expectCode(await alone(paths.query, byNumber), "4046401");
  expectCode(await siti.send(paths.payment, body), "2006300");
  expectCode(await alone(paths.query, byNumber), "4016404");

  const payment = await place(siti.send, strict.merchantId);
  const changes = changesOf(payment);
  const before = await holdOf(control, payment);
  for (const [service, path, sent] of [...changes, ...queriesOf(payment, changes)]) {
    const answer = await alone(path, sent);
    assert.equal(answer.code, `401${service}04`, answer.text);
    assert.equal(answer.message, "Customer Token Not Found");
  }
  assert.deepEqual(await holdOf(control, payment), before);
  for (const [service, path, sent] of [...changes, ...queriesOf(payment, changes)]) {
    expectCode(await siti.send(path, sent), `200${service}00`);
  }
});

test("faults of the fields are answered before the token is asked for (D2, steps 11 and 12)", async () => {
  const payment = await place(siti.send, strict.merchantId);
  const pay = (additionalInfo: unknown) => alone(paths.payment, paymentBody(strict.merchantId, { additionalInfo }));
  expectCode(await pay([]), "4016304");
  expectField(await pay({ validUpTo: "soon" }), "4006301", "additionalInfo.validUpTo");
  const notAll = voidBody(payment, { voidRemainingAmount: "false" });
  expectField(await alone(paths.void, notAll), "4006702", "voidAmount");
  expectField(await alone(paths.capture, captureBody(payment, { captureAmount: null })), "4006501", "captureAmount");
});

test("another customer's hold is not found, whether its merchant asks for the token or not", async () => {
  for (const { merchantId } of [strict, merchant]) {
    const payment = await place(siti.send, merchantId);
    const made = changesOf(payment);
    for (const [service, path, body] of made) expectCode(await siti.send(path, body), `200${service}00`);
    const before = await holdOf(control, payment);
    const queries = queriesOf(payment, made);
    for (const [service, path, body] of [...changesOf(payment), ...queries]) {
      const answer = await budi.send(path, body);
      assert.equal(answer.code, `404${service}01`, answer.text);
    }
    assert.deepEqual(await holdOf(control, payment), before);
    for (const [service, path, body] of queries) expectCode(await siti.send(path, body), `200${service}00`);
  }
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
