/** Answers to a second call with the same key (spec D7), of every operation that writes, by plain HTTP. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { operationRows } from "@titian/contract";
import { type Answer, type Json, newNumber } from "../../support/black-box/caller.ts";
import { expectCode, inquiryPath, statusPath } from "../../support/black-box/transfers.ts";
import { startWrites } from "../../support/black-box/writes/all-writes.ts";
import type { Intent, PartnerName, Write } from "../../support/black-box/writes/write.ts";
import { expectNoOriginal, expectOriginal } from "./expect-repeat.ts";

const { all: writes, rails: fixture, ...started } = await startWrites();
after(() => started[Symbol.asyncDispose]());
const { alpha, control } = fixture;

/** One intent that was carried out: what was sent, and what came back. */
async function carryOut(write: Write, more: Json = {}) {
  const { path, service } = write;
  const intent = await write.newIntent();
  const externalId = newNumber();
  const info = intent.body["additionalInfo"] as Json | undefined;
  const body: Json = { ...intent.body, additionalInfo: { ...info, note: "kept" }, ...more };
  const call = await alpha.sign(path, body, { externalId });
  const first = await alpha.send(call);
  expectCode(first, `200${service}00`);
  await write.untilDone(first);
  return { intent, body, externalId, call, first, status: write.statusAfter(0) };
}

async function expectOnce(intent: Intent): Promise<void> {
  assert.equal(await intent.effect(), 1);
  await intent.expectPlaces?.();
}

const numberGiven = ({ body }: Answer) => body["referenceNo"] ?? body["bulkId"];
const reversed = (body: Json): Json => Object.fromEntries(Object.entries(body).toReversed());

test("every operation that writes stands here", () => {
  const codes = operationRows.filter(({ kind }) => kind === "write").map(({ code }) => code);
  assert.deepEqual(writes.map(({ service }) => service).toSorted(), codes.toSorted());
});

for (const write of writes) {
  const { service, path, number, value, content, ofAmount } = write;
  const [conflict, duplicate, changed] = [`409${service}00`, `409${service}01`, `404${service}18`];
  const whole = (body: Json) => ofAmount(body, value.slice(0, -3));
  const otherAmount = (body: Json) => ofAmount(body, `${value.slice(0, -1)}1`);

  test(`${service}: same external id, same bytes: the first answer, whether copied, signed anew or in other white space`, async () => {
    const { body, externalId, call, intent, ...done } = await carryOut(write, { [number]: `${newNumber()}  a` });
    const pretty = JSON.stringify(body, undefined, 2);
    const again = () => alpha.call(path, body, { externalId });
    const repeats = [
      () => alpha.send(call),
      again,
      // Signed as it is, and as many callers do it: sent pretty, signed minified (D4).
      () => alpha.call(path, pretty, { externalId }),
      () => alpha.call(path, `${pretty}\r\n`, { externalId, signedBody: JSON.stringify(body) }),
      again,
      () => alpha.send(call),
    ];
    for (const repeat of repeats) {
      const answer = await repeat();
      expectOriginal(write, answer, conflict, done);
      for (const name of [number, ...Object.keys(whole(body))])
        assert.deepEqual(answer.body[name], done.first.body[name], name);
    }
    // White space inside a text is content.
    const other = JSON.stringify({ ...body, [number]: String(body[number]).replace("  ", " ") });
    expectNoOriginal(await alpha.call(path, other, { externalId }), conflict);
    await expectOnce(intent);
  });

  test(`${service}: a first call that is pretty is repeated by a minified one`, async () => {
    const intent = await write.newIntent();
    const externalId = newNumber();
    const minified = JSON.stringify(intent.body);
    const pretty = JSON.stringify(intent.body, undefined, "\t");
    const first = await alpha.call(path, pretty, { externalId, signedBody: minified });
    expectCode(first, `200${service}00`);
    await write.untilDone(first);
    const answer = await alpha.call(path, minified, { externalId });
    expectOriginal(write, answer, conflict, { first, status: write.statusAfter(0) });
    await expectOnce(intent);
  });

  test(`${service}: same external id, another request: 409 with nothing of the first; other bytes alone are no other request`, async () => {
    const { body, externalId, intent, ...done } = await carryOut(write);
    const same = [whole(body), { unheardOf: 1 }, ...content.same(body)].map((more) => ({ ...body, ...more }));
    for (const again of [...same, reversed(body)]) {
      expectOriginal(write, await alpha.call(path, again, { externalId }), conflict, done);
    }
    for (const more of [otherAmount(body), { [number]: newNumber() }, ...(await content.other(body))]) {
      expectNoOriginal(await alpha.call(path, { ...body, ...more }, { externalId }), conflict);
    }
    for (const other of writes.filter((one) => one !== write)) {
      const elsewhere = await other.newIntent();
      const answer = await alpha.call(other.path, elsewhere.body, { externalId });
      expectNoOriginal(answer, `409${other.service}00`);
      assert.equal(await elsewhere.effect(), 0);
    }
    await expectOnce(intent);
  });

  test(`${service}: same number, new external id: 409xx01 for the same content, 404xx18 for other content`, async () => {
    const { body, intent, ...done } = await carryOut(write);
    const shorter = ofAmount(body, value.slice(0, -1));
    for (const more of [{}, whole(body), shorter, { additionalInfo: body["additionalInfo"] }, ...content.same(body)]) {
      const answer = await alpha.call(path, { ...body, ...more });
      expectOriginal(write, answer, duplicate, done);
      const named = number === "partnerReferenceNo" ? "" : ` [${number}]`;
      assert.equal(answer.message, `Duplicate partnerReferenceNo${named}`);
    }
    for (const more of [otherAmount(body), ...(await content.other(body))]) {
      expectOriginal(write, await alpha.call(path, { ...body, ...more }), changed, done);
    }
    await expectOnce(intent);
  });

  test(`${service}: external id and number both taken: the external id decides`, async () => {
    const one = await carryOut(write);
    const two = await carryOut(write);
    expectNoOriginal(await alpha.call(path, one.body, { externalId: two.externalId }), conflict);
  });

  test(`${service}: ids and numbers belong to a partner: another one uses the same ones for its own`, async () => {
    const externalId = newNumber();
    const partnerNumber = newNumber();
    const callers: readonly PartnerName[] = ["beta", "alpha"];
    for (const partner of callers) {
      const intent = await write.newIntent(partner);
      const answer = await fixture[partner].call(path, { ...intent.body, [number]: partnerNumber }, { externalId });
      expectCode(answer, `200${service}00`);
      await write.untilDone(answer, partner);
      await expectOnce(intent);
    }
  });

  test(`${service}: rejected before: a copy is rejected alike; id and number serve what is signed anew`, async () => {
    const intent = await write.newIntent();
    const externalId = newNumber();
    const rejected = await alpha.sign(path, { ...intent.body, ...ofAmount(intent.body, "0.00") }, { externalId });
    const first = await alpha.send(rejected);
    expectCode(first, `404${service}13`);
    await control.advance(2);
    assert.equal((await alpha.send(rejected)).text, first.text);
    const accepted = await alpha.call(path, intent.body, { externalId });
    expectCode(accepted, `200${service}00`);
    // Whatever a late copy of the rejected call is answered, it moves nothing.
    await alpha.send(rejected);
    await write.untilDone(accepted);
    await expectOnce(intent);
  });

  test(`${service}: fifty copies at once, fifty signed anew, fifty under other ids: one effect, and each is answered with it`, async () => {
    const intent = await write.newIntent();
    const externalId = newNumber();
    const copy = await alpha.sign(path, intent.body, { externalId });
    const calls = await Promise.all(
      Array.from({ length: 150 }, async (_, position) =>
        position % 3 === 0 ? copy : alpha.sign(path, intent.body, position % 3 === 1 ? { externalId } : {}),
      ),
    );
    const answers = await Promise.all(
      calls.map(async (call) => ({ id: call.headers["X-EXTERNAL-ID"], answer: await alpha.send(call) })),
    );
    const [one, ...more] = answers.filter(({ answer }) => answer.status === 200);
    assert.ok(one && more.length === 0, `${more.length + 1} successes`);
    const first = one.answer;
    for (const { id, answer } of answers) {
      if (answer === first) continue;
      const code = id === one.id ? conflict : duplicate;
      if (write.isSentOn) expectUnderWay(answer, code, first);
      else expectOriginal(write, answer, code, { first, status: write.statusAfter(0) });
    }
    await write.untilDone(first);
    await expectOnce(intent);
  });

  /** Answered before the rail was, the first response is 202; whose call it is, the same number says. */
  function expectUnderWay(answer: Answer, code: string, first: Answer): void {
    expectCode(answer, code);
    const { originalResponse } = answer.body["additionalInfo"] as { readonly originalResponse: Json };
    assert.ok([`202${service}00`, `200${service}00`].includes(String(originalResponse["responseCode"])), answer.text);
    for (const name of ["referenceNo", "bulkId"]) assert.equal(originalResponse[name], first.body[name]);
  }
}

for (const write of writes.filter(({ isSentOn, number }) => isSentOn && number === "partnerReferenceNo")) {
  test(`${write.service}: sent to a branch's BIC, then by the bank's other codes: the same content`, async () => {
    const { body, intent, ...done } = await carryOut(write, { beneficiaryBankCode: "CENAIDJA001" });
    if (write.service === "18") assert.match(String(done.first.body["traceNo"]), /^[!-~]{1,16}$/);
    for (const beneficiaryBankCode of ["014", "CENAIDJA", "CENAIDJAXXX"]) {
      const answer = await alpha.call(write.path, { ...body, beneficiaryBankCode });
      expectOriginal(write, answer, `409${write.service}01`, done);
    }
    await expectOnce(intent);
  });
}

test("a number belongs to an operation: each uses the same one for its own", async () => {
  const partnerNumber = newNumber();
  for (const write of writes) {
    const intent = await write.newIntent();
    const answer = await alpha.call(write.path, { ...intent.body, [write.number]: partnerNumber });
    expectCode(answer, `200${write.service}00`);
    await write.untilDone(answer);
    await expectOnce(intent);
  }
});

test("reads take no external id: they may share one with a write, before and after it", async () => {
  const [beneficiaryAccountNo] = alpha.partner.sourceAccounts;
  for (const write of writes) {
    const externalId = newNumber();
    const read = async () =>
      expectCode(await alpha.call(inquiryPath, { beneficiaryAccountNo }, { externalId }), "2001500");
    await read();
    await read();
    const { body } = await write.newIntent();
    const first = await alpha.call(write.path, body, { externalId });
    expectCode(first, `200${write.service}00`);
    await read();
    if (!write.isTransfer) continue;
    const inquiry = { serviceCode: write.service, originalExternalId: externalId };
    expectCode(await alpha.call(statusPath, inquiry, { externalId }), "2003600");
  }
});

// Last: the clock only moves forward.
test("after 24 hours an external id is free, a number is not; a repeat says what has become of the first call", async () => {
  const made = [];
  for (const write of writes) made.push({ write, ...(await carryOut(write)) });
  await fixture.advance(23 * 3_600);
  for (const { write, body, externalId, first } of made) {
    const answer = await alpha.call(write.path, body, { externalId });
    expectOriginal(write, answer, `409${write.service}00`, { first, status: write.statusAfter(1) });
    expectNoOriginal(
      await alpha.call(write.path, { ...body, [write.number]: newNumber() }, { externalId }),
      answer.code,
    );
  }
  await fixture.advance(2 * 3_600);
  for (const { write, body, externalId, call, first, intent } of made) {
    const { path, service, number } = write;
    const done = { first, status: write.statusAfter(1) };
    // The id is free, yet the number holds: an old call comes to nothing new.
    expectOriginal(write, await alpha.call(path, body, { externalId }), `409${service}01`, done);
    expectOriginal(write, await alpha.call(path, body), `409${service}01`, done);
    // The copy's token has expired meanwhile.
    expectCode(await alpha.send(call), `401${service}01`);
    assert.equal(await intent.effect(), 1);
    const reused = await alpha.call(path, { ...body, ...write.renewed?.(body), [number]: newNumber() }, { externalId });
    expectCode(reused, `200${service}00`);
    assert.equal(await intent.effect(), 2);
    // The newest use of the id counts.
    expectNoOriginal(await alpha.call(path, body, { externalId }), `409${service}00`);
    if (!write.isTransfer) continue;
    const found = await alpha.call(statusPath, { serviceCode: service, originalExternalId: externalId });
    assert.equal(found.body["originalReferenceNo"], numberGiven(reused));
    const originalReferenceNo = numberGiven(first);
    expectCode(await alpha.call(statusPath, { serviceCode: service, originalReferenceNo }), "2003600");
  }
  await fixture.advance(7 * 86_400);
  for (const { write, body, first } of made) {
    const done = { first, status: write.statusAfter(8) };
    expectOriginal(write, await alpha.call(write.path, body), `409${write.service}01`, done);
  }
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
