/** What a second call with the same key gets (spec D7), row by row, by plain HTTP. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Answer, type Json, newNumber } from "../support/black-box/caller.ts";
import { toMinor } from "../support/black-box/control.ts";
import { timestampOf } from "../support/black-box/signer.ts";
import { startSandbox } from "../support/black-box/start-sandbox.ts";
import { expectCode, inquiryPath, statusPath, transferBody, transferPath } from "../support/black-box/transfers.ts";

const sandbox = await startSandbox();
after(() => sandbox[Symbol.asyncDispose]());
const { control } = sandbox;
const alpha = sandbox.caller("alpha");
const beta = sandbox.caller("beta");
const [from = "", to = ""] = alpha.partner.sourceAccounts;

/** A transfer that was accepted: what was sent, and what came back. */
async function pay(more: Json = {}) {
  const externalId = newNumber();
  const body = transferBody({ from, to, value: "100" }, more);
  const call = await alpha.sign(transferPath, body, { externalId });
  const first = await alpha.send(call);
  expectCode(first, "2001700");
  return { externalId, body, call, first };
}

/** How much has left the source account while `work` ran, in minor units. */
async function sentDuring(work: () => Promise<void>): Promise<bigint> {
  const [before = 0n] = await control.balances(from);
  await work();
  const [then = 0n] = await control.balances(from);
  return before - then;
}

/** The answer tells the first one, and how things stand now. */
function expectOriginal(answer: Answer, code: string, first: Answer): void {
  expectCode(answer, code);
  assert.deepEqual(answer.body["additionalInfo"], { originalResponse: first.body, latestTransactionStatus: "00" });
  assert.equal("referenceNo" in answer.body, false, "present only on success");
}

function expectNoOriginal(answer: Answer, code: string): void {
  expectCode(answer, code);
  assert.equal(answer.message, "Conflict [X-EXTERNAL-ID was used for another request]");
  assert.equal("additionalInfo" in answer.body, false);
  assert.equal("referenceNo" in answer.body, false);
}

test("same external id, same bytes: 409 with the first answer, whether copied or signed anew", async () => {
  const sent = await sentDuring(async () => {
    const { externalId, body, call, first } = await pay({ additionalInfo: { note: "kept" }, remark: "first" });
    const copy = await alpha.send(call);
    expectOriginal(copy, "4091700", first);
    // Everything the response lists is echoed, but never the request's additionalInfo.
    assert.equal(copy.body["partnerReferenceNo"], body["partnerReferenceNo"]);
    assert.deepEqual(copy.body["amount"], { value: "100.00", currency: "IDR" });
    expectOriginal(await alpha.call(transferPath, body, { externalId }), "4091700", first);
    expectOriginal(await alpha.send(call), "4091700", first);
  });
  assert.equal(sent, 10_000n);
});

test("same external id, the same body in other white space: the same call", async () => {
  const sent = await sentDuring(async () => {
    const { externalId, body, first } = await pay({ partnerReferenceNo: `${newNumber()}  a` });
    const pretty = JSON.stringify(body, undefined, 2);
    // Signed as it is, and as many callers do it: sent pretty, signed minified (D4).
    expectOriginal(await alpha.call(transferPath, pretty, { externalId }), "4091700", first);
    const signedBody = JSON.stringify(body);
    expectOriginal(await alpha.call(transferPath, `${pretty}\r\n`, { externalId, signedBody }), "4091700", first);
    // White space inside a text is content.
    const partnerReferenceNo = String(body["partnerReferenceNo"]).replace("  ", " ");
    const other = JSON.stringify({ ...body, partnerReferenceNo });
    expectNoOriginal(await alpha.call(transferPath, other, { externalId }), "4091700");
  });
  assert.equal(sent, 10_000n);
});

test("a first call that is pretty is repeated by a minified one", async () => {
  const externalId = newNumber();
  const body = transferBody({ from, to, value: "1.00" });
  const first = await alpha.call(transferPath, JSON.stringify(body, undefined, "\t"), {
    externalId,
    signedBody: JSON.stringify(body),
  });
  expectCode(first, "2001700");
  expectOriginal(await alpha.call(transferPath, body, { externalId }), "4091700", first);
});

test("same external id, other bytes: told the outcome where number and content are the same, else nothing of the first", async () => {
  const sent = await sentDuring(async () => {
    const { externalId, body, first } = await pay();
    const same = [
      { ...body, amount: { value: "100.00", currency: "IDR" } },
      { ...body, transactionDate: "2026-11-22T00:00:00Z", remark: "another", additionalInfo: { a: 1 } },
      Object.fromEntries(Object.entries(body).toReversed()),
    ];
    for (const again of same) expectOriginal(await alpha.call(transferPath, again, { externalId }), "4091700", first);
    const others = [
      { ...body, amount: { value: "101", currency: "IDR" } },
      { ...body, beneficiaryAccountNo: from, sourceAccountNo: to },
      { ...body, partnerReferenceNo: newNumber() },
    ];
    for (const other of others) expectNoOriginal(await alpha.call(transferPath, other, { externalId }), "4091700");
  });
  assert.equal(sent, 10_000n);
});

test("reads take no external id: they may share one with a write, before and after it", async () => {
  const externalId = newNumber();
  const inquiry = { beneficiaryAccountNo: to };
  expectCode(await alpha.call(inquiryPath, inquiry, { externalId }), "2001500");
  expectCode(await alpha.call(inquiryPath, inquiry, { externalId }), "2001500");
  expectCode(await alpha.call(transferPath, transferBody({ from, to, value: "1.00" }), { externalId }), "2001700");
  expectCode(await alpha.call(inquiryPath, inquiry, { externalId }), "2001500");
});

test("same number, new external id: 409xx01 for the same content, 404xx18 for other content", async () => {
  const sent = await sentDuring(async () => {
    const { body, first } = await pay({ remark: "first" });
    const same = [
      body,
      { ...body, amount: { value: "100.00", currency: "IDR" } },
      { ...body, remark: "another", transactionDate: "2026-11-22T00:00:00Z", additionalInfo: { a: 1 } },
    ];
    for (const repeat of same) expectOriginal(await alpha.call(transferPath, repeat), "4091701", first);
    const { accountNo: third } = await control.open({ name: "Ketiga", balance: "5.00", partnerId: "alpha" });
    const other = [
      { ...body, amount: { value: "100.01", currency: "IDR" } },
      { ...body, beneficiaryAccountNo: third },
      { ...body, sourceAccountNo: third },
    ];
    for (const changed of other) expectOriginal(await alpha.call(transferPath, changed), "4041718", first);
  });
  assert.equal(sent, 10_000n);
});

test("external id and number both taken: the external id decides", async () => {
  const one = await pay();
  const two = await pay();
  const answer = await alpha.call(transferPath, one.body, { externalId: two.externalId });
  expectNoOriginal(answer, "4091700");
});

test("rejected before: a copy gets its rejection again, a call signed anew is decided afresh", async () => {
  const { accountNo: poor } = await control.open({ name: "Menunggu gaji", balance: "1.00", partnerId: "alpha" });
  const externalId = newNumber();
  const body = transferBody({ from: poor, to, value: "50.00" });
  const rejected = await alpha.sign(transferPath, body, { externalId });
  const first = await alpha.send(rejected);
  expectCode(first, "4031714");
  expectCode(await alpha.send(rejected), "4031714");
  expectCode(await alpha.call(transferPath, transferBody({ from, to: poor, value: "200.00" })), "2001700");

  const copy = await alpha.send(rejected);
  expectCode(copy, "4031714");
  assert.deepEqual(copy.body, first.body);
  const retry = await alpha.call(transferPath, body, { externalId });
  expectCode(retry, "2001700");
  assert.equal(toMinor((await control.account(poor)).ledgerBalance), 15_100n);
  expectOriginal(await alpha.call(transferPath, body, { externalId }), "4091700", retry);
  // 36 tells of the attempt that was accepted, not of the one before.
  const originalPartnerReferenceNo = body["partnerReferenceNo"];
  const found = await alpha.call(statusPath, { serviceCode: "17", originalPartnerReferenceNo });
  assert.equal(found.body["latestTransactionStatus"], "00");
  // Whatever a late copy of the rejected call is told, it moves nothing.
  await alpha.send(rejected);
  assert.equal(toMinor((await control.account(poor)).ledgerBalance), 15_100n);
});

test("sends are ordered: a first send that arrives after its repeat was rejected gets that rejection", async () => {
  const { accountNo: poor } = await control.open({ name: "Menunggu gaji", balance: "1.00", partnerId: "alpha" });
  const externalId = newNumber();
  const body = transferBody({ from: poor, to, value: "50.00" });
  const signed = (secondsAgo: number, more: Json = {}) =>
    alpha.sign(
      transferPath,
      { ...body, ...more },
      { externalId, timestamp: timestampOf(Date.now() - secondsAgo * 1_000) },
    );
  const [delayed, otherBytes, repeat] = [await signed(20), await signed(15, { remark: "x" }), await signed(10)];
  const rejected = await alpha.send(repeat);
  expectCode(rejected, "4031714");
  expectCode(await alpha.call(transferPath, transferBody({ from, to: poor, value: "200.00" })), "2001700");

  assert.equal((await alpha.send(delayed)).text, rejected.text);
  expectCode(await alpha.send(otherBytes), "4031714");
  assert.equal(toMinor((await control.account(poor)).ledgerBalance), 20_100n);
  const newer = await alpha.send(await signed(5));
  expectCode(newer, "2001700");
  expectOriginal(await alpha.send(delayed), "4091700", newer);
  assert.equal(toMinor((await control.account(poor)).ledgerBalance), 15_100n);
});

test("rejected before: nothing is taken, so id and number serve another intent", async () => {
  const externalId = newNumber();
  const partnerReferenceNo = newNumber();
  const zero = transferBody({ from, to, value: "0.00", partnerReferenceNo });
  expectCode(await alpha.call(transferPath, zero, { externalId }), "4041713");
  const other = transferBody({ from, to, value: "2.00", partnerReferenceNo });
  expectCode(await alpha.call(transferPath, other, { externalId }), "2001700");
});

test("ids and numbers belong to a partner: another one uses the same ones for its own", async () => {
  const { externalId, body } = await pay();
  const [own = "", other = ""] = beta.partner.sourceAccounts;
  const same = { ...body, sourceAccountNo: own, beneficiaryAccountNo: other };
  expectCode(await beta.call(transferPath, same, { externalId }), "2001700");
});

// Last: the clock only moves forward.
test("an external id is free again after its window; a number is not", async () => {
  const { externalId, body, call, first } = await pay();
  await control.advance(23 * 3_600);
  await alpha.token({ fresh: true });
  const other = transferBody({ from, to, value: "7.00" });
  expectOriginal(await alpha.call(transferPath, body, { externalId }), "4091700", first);
  expectNoOriginal(await alpha.call(transferPath, other, { externalId }), "4091700");

  await control.advance(2 * 3_600);
  await alpha.token({ fresh: true });
  const sent = await sentDuring(async () => {
    // The id is free, yet the number holds: an old call comes to nothing new.
    expectOriginal(await alpha.call(transferPath, body, { externalId }), "4091701", first);
    // The copy's token has expired meanwhile.
    expectCode(await alpha.send(call), "4011701");
    const reused = await alpha.call(transferPath, other, { externalId });
    expectCode(reused, "2001700");
    expectOriginal(await alpha.call(transferPath, other, { externalId }), "4091700", reused);
    const found = await alpha.call(statusPath, { serviceCode: "17", originalExternalId: externalId });
    assert.equal(found.body["originalReferenceNo"], reused.body["referenceNo"], "the newest counts");
    const old = await alpha.call(statusPath, { serviceCode: "17", originalReferenceNo: first.body["referenceNo"] });
    expectCode(old, "2003600");
  });
  assert.equal(sent, 700n);
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
