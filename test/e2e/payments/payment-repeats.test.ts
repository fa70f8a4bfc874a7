/** What a second call of 63, 65, 67 or 69 with the same key gets (spec D7), row by row, by plain HTTP. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Answer, type Json, newNumber } from "../../support/black-box/caller.ts";
import { toMinor } from "../../support/black-box/control.ts";
import { paths, paymentBody } from "../../support/black-box/payments/hold-bodies.ts";
import { capture, hold, holdOf, refund, voidHold } from "../../support/black-box/payments/holds.ts";
import { type Intent, type PaymentWrite, paymentWrites } from "../../support/black-box/payments/payment-writes.ts";
import { fieldsOf, startPaymentFixture } from "../../support/black-box/payments/payment-fixture.ts";
import { expectCode, idr, inquiryPath, transferBody, transferPath } from "../../support/black-box/transfers.ts";

const fixture = await startPaymentFixture();
after(() => fixture[Symbol.asyncDispose]());
const { alpha, beta, control, merchant } = fixture;
const writes = paymentWrites(fixture);

/** One intent that was carried out: what was sent, and what came back. */
async function carryOut({ path, service, newIntent }: PaymentWrite) {
  const intent = await newIntent();
  const externalId = newNumber();
  const info = intent.body["additionalInfo"] as Json | undefined;
  const body: Json = { ...intent.body, additionalInfo: { ...info, note: "kept" } };
  const call = await alpha.sign(path, body, { externalId });
  const first = await alpha.send(call);
  expectCode(first, `200${service}00`);
  return { ...intent, body, externalId, call, first };
}

const expectOnce = async ({ effect }: Pick<Intent, "effect">) => assert.equal(await effect(), 1_000n);

type Expected = Pick<PaymentWrite, "mandatory" | "onSuccess"> & { readonly status: unknown };

const statusIn = ({ body }: Answer) => (body["additionalInfo"] as Json | undefined)?.["latestTransactionStatus"];

/** The answer tells the first one and how things stand now, has its mandatory fields, and nothing only a success has. */
function expectOriginal({ status, mandatory, onSuccess }: Expected, answer: Answer, code: string, first: Answer): void {
  expectCode(answer, code);
  assert.deepEqual(answer.body["additionalInfo"], { originalResponse: first.body, latestTransactionStatus: status });
  for (const name of mandatory) assert.ok(answer.body[name] !== undefined, `${name} in ${answer.text}`);
  for (const name of onSuccess) assert.equal(name in answer.body, false, answer.text);
}

function expectNoOriginal(answer: Answer, code: string): void {
  expectCode(answer, code);
  assert.equal(answer.message, "Conflict [X-EXTERNAL-ID was used for another request]");
  assert.equal("additionalInfo" in answer.body, false, answer.text);
}

for (const write of writes) {
  const { service, path, amount, number, content } = write;
  const conflict = `409${service}00`;

  test(`${service}: same external id, same bytes: the first answer, whether copied, signed anew or in other white space`, async () => {
    const { body, externalId, call, first, ...intent } = await carryOut(write);
    const pretty = JSON.stringify(body, undefined, 2);
    const again = () => alpha.call(path, body, { externalId });
    const repeats = [
      () => alpha.send(call),
      again,
      () => alpha.call(path, pretty, { externalId }),
      () => alpha.call(path, `${pretty}\r\n`, { externalId, signedBody: JSON.stringify(body) }),
      again,
    ];
    for (const repeat of repeats) expectOriginal(write, await repeat(), conflict, first);
    await expectOnce(intent);
  });

  test(`${service}: same external id, another request: 409 that tells nothing of the first; other bytes alone are no other request`, async () => {
    const { body, externalId, first, ...intent } = await carryOut(write);
    const same = [
      { ...body, [amount]: idr("10") },
      { ...body, unheardOf: 1 },
      Object.fromEntries(Object.entries(body).toReversed()),
      ...content.same(body).map((more) => ({ ...body, ...more })),
    ];
    for (const again of same) expectOriginal(write, await alpha.call(path, again, { externalId }), conflict, first);
    const others = [
      { ...body, [amount]: idr("11.00") },
      { ...body, [number]: newNumber() },
    ];
    for (const other of others) expectNoOriginal(await alpha.call(path, other, { externalId }), conflict);
    for (const other of writes.filter((one) => one !== write)) {
      const elsewhere = await other.newIntent();
      const answer = await alpha.call(other.path, elsewhere.body, { externalId });
      expectNoOriginal(answer, `409${other.service}00`);
      assert.equal(await elsewhere.effect(), 0n);
    }
    const [from = "", to = ""] = alpha.partner.sourceAccounts;
    expectNoOriginal(await alpha.call(transferPath, transferBody({ from, to }), { externalId }), "4091700");
    // Reads take no external id, and mind none.
    expectCode(await alpha.call(inquiryPath, { beneficiaryAccountNo: from }, { externalId }), "2001500");
    await expectOnce(intent);
  });

  test(`${service}: same number, new external id: 409xx01 for the same content, 404xx18 for other content`, async () => {
    const { body, first, ...intent } = await carryOut(write);
    const same = [{}, { [amount]: idr("10") }, { [amount]: idr("10.0") }, { additionalInfo: body["additionalInfo"] }];
    for (const more of [...same, ...content.same(body)]) {
      const answer = await alpha.call(path, { ...body, ...more });
      expectOriginal(write, answer, `409${service}01`, first);
      const named = number === "partnerReferenceNo" ? "" : ` [${number}]`;
      assert.equal(answer.message, `Duplicate partnerReferenceNo${named}`);
    }
    const other = [
      { [amount]: idr("10.01") },
      { [amount]: undefined },
      { [amount]: { value: "10.00", currency: "USD" } },
    ];
    for (const more of [...other, ...(await content.other(body))]) {
      expectOriginal(write, await alpha.call(path, { ...body, ...more }), `404${service}18`, first);
    }
    await expectOnce(intent);
  });

  test(`${service}: external id and number both taken: the external id decides`, async () => {
    const one = await carryOut(write);
    const two = await carryOut(write);
    expectNoOriginal(await alpha.call(path, one.body, { externalId: two.externalId }), conflict);
  });

  test(`${service}: rejected before: a copy is rejected alike; id and number serve what is signed anew`, async () => {
    const { body, effect } = await write.newIntent();
    const externalId = newNumber();
    const rejected = await alpha.sign(path, { ...body, [amount]: idr("0.00") }, { externalId });
    const first = await alpha.send(rejected);
    expectCode(first, `404${service}13`);
    await control.advance(2);
    assert.equal((await alpha.send(rejected)).text, first.text);
    expectCode(await alpha.call(path, body, { externalId }), `200${service}00`);
    await alpha.send(rejected);
    assert.equal(await effect(), 1_000n);
  });

  test(`${service}: fifty copies at once, and fifty signed anew beside them: one effect`, async () => {
    const { body, effect } = await write.newIntent();
    const externalId = newNumber();
    const call = await alpha.sign(path, body, { externalId });
    const anew = await Promise.all(Array.from({ length: 50 }, () => alpha.sign(path, body, { externalId })));
    const answers = await Promise.all([...anew, ...anew.map(() => call)].map((one) => alpha.send(one)));
    const [first, ...more] = answers.filter(({ status }) => status === 200);
    assert.ok(first && more.length === 0, `${more.length + 1} successes`);
    for (const answer of answers) if (answer !== first) expectOriginal(write, answer, conflict, first);
    assert.equal(await effect(), 1_000n);
  });

  test(`${service}: one number under fifty external ids at once: one effect`, async () => {
    const { body, effect } = await write.newIntent();
    const answers = await Promise.all(Array.from({ length: 50 }, () => alpha.call(path, body)));
    const [first, ...more] = answers.filter(({ status }) => status === 200);
    assert.ok(first && more.length === 0, `${more.length + 1} successes`);
    for (const answer of answers) if (answer !== first) expectOriginal(write, answer, `409${service}01`, first);
    assert.equal(await effect(), 1_000n);
  });
}

test("ids and numbers belong to a partner: another one uses the same ones for its own", async () => {
  const [payment] = writes;
  const { body, externalId, ...intent } = await carryOut(payment);
  const { accountNo } = await fixture.newPayer("10.00", { partnerId: "beta" });
  const theirs = { merchantId: beta.partner.merchants[1], additionalInfo: { sourceAccountNo: accountNo } };
  expectCode(await beta.call(paths.payment, { ...body, ...theirs }, { externalId }), "2006300");
  await expectOnce(intent);
});

test("a payment without an amount is repeated with the amount that was held", async () => {
  const { additionalInfo } = await fixture.newPayer("1000000.00");
  const body = paymentBody(fixture.hotel.merchantId, { amount: undefined, additionalInfo });
  const externalId = newNumber();
  const first = await alpha.call(paths.payment, body, { externalId });
  const again = await alpha.call(paths.payment, body, { externalId });
  const { amount, paidTime, ...rest } = fieldsOf(again);
  assert.deepEqual([amount, paidTime], [idr("500000.00"), first.body["paidTime"]]);
  assert.deepEqual(Object.keys(rest), ["partnerReferenceNo", "additionalInfo"]);
});

test("captures and voids that come at once take no more than is held", async () => {
  const { additionalInfo } = await fixture.newPayer();
  const payment = await hold(alpha, merchant.merchantId, { amount: idr("100.00"), additionalInfo });
  const [, capturing, voiding] = writes;
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, position) => {
      const { path, bodyOf } = position % 2 === 0 ? capturing : voiding;
      return alpha.call(path, bodyOf(payment));
    }),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 10);
  const codes = new Set(answers.map(({ code }) => code).filter((code) => !code.startsWith("200")));
  for (const code of codes) assert.match(code, /^404(65|67)00$/);
  const { captured, voided } = await holdOf(control, payment);
  assert.equal(toMinor(captured) + toMinor(voided), 10_000n);
});

test("the status of a repeated payment is what has become of its hold by now", async () => {
  const [payment] = writes;
  const placed = async () => {
    const { body, externalId, first } = await carryOut(payment);
    const { referenceNo, partnerReferenceNo } = first.body;
    const found = async () => {
      const answer = await alpha.call(paths.payment, body, { externalId });
      expectOriginal({ ...payment, status: statusIn(answer) }, answer, "4096300", first);
      return statusIn(answer);
    };
    const reference = { referenceNo: String(referenceNo), partnerReferenceNo: String(partnerReferenceNo) };
    return { payment: { ...reference, merchantId: merchant.merchantId }, found };
  };
  const one = await placed();
  assert.equal(await one.found(), "01");
  expectCode(await capture(alpha, one.payment, { captureAmount: idr("4.00") }), "2006500");
  assert.equal(await one.found(), "02");
  expectCode(await voidHold(alpha, one.payment), "2006700");
  assert.equal(await one.found(), "00");
  expectCode(await refund(alpha, one.payment), "2006900");
  assert.equal(await one.found(), "04");
  const other = await placed();
  expectCode(await voidHold(alpha, other.payment), "2006700");
  assert.equal(await other.found(), "05");
});

// Last: the clock only moves forward.
test("after 24 hours an external id is free, a number is not; a payment's repeat tells that it expired", async () => {
  const made = [];
  for (const write of writes) made.push({ write, ...(await carryOut(write)) });
  await control.advance(23 * 3_600);
  await alpha.token({ fresh: true });
  for (const { write, body, externalId, first } of made) {
    expectOriginal(write, await alpha.call(write.path, body, { externalId }), `409${write.service}00`, first);
  }
  await control.advance(2 * 3_600);
  await alpha.token({ fresh: true });
  for (const { write, body, externalId, first, effect } of made) {
    const { path, service, number } = write;
    // The id is free, yet the number holds: an old call comes to nothing new.
    expectOriginal(write, await alpha.call(path, body, { externalId }), `409${service}01`, first);
    expectOriginal(write, await alpha.call(path, body), `409${service}01`, first);
    assert.equal(await effect(), 1_000n);
    const another = { ...body, [number]: newNumber() };
    expectCode(await alpha.call(path, another, { externalId }), `200${service}00`);
    assert.equal(await effect(), 2_000n);
    // The newest use of the id counts.
    expectNoOriginal(await alpha.call(path, body, { externalId }), `409${service}00`);
  }
  await control.advance(7 * 86_400);
  await alpha.token({ fresh: true });
  for (const { write, body, first } of made) {
    const now = write.service === "63" ? { ...write, status: "05" } : write;
    expectOriginal(now, await alpha.call(write.path, body), `409${write.service}01`, first);
  }
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
