/** Numbers of items and of bulks (20) that were used before (spec D7, D13), by plain HTTP; what all writes share is tested with them. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eventually, fieldsOf } from "../../support/black-box/answers.ts";
import {
  bulkBody,
  bulkItem,
  bulkPath,
  changeItem,
  countBulkRows,
  inquireBulk,
  itemsOf,
  numberOf,
  untilBulkEnds,
} from "../../support/black-box/bulks.ts";
import { type Answer, type Json, newNumber } from "../../support/black-box/caller.ts";
import { toMinor } from "../../support/black-box/control.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { interbank } from "../../support/black-box/rails/rail-services.ts";
import { railBody } from "../../support/black-box/rails/rail-transfers.ts";
import { timestampOf } from "../../support/black-box/signer.ts";
import { expectCode, idr, transferBody, transferPath } from "../../support/black-box/transfers.ts";

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const fixture = stack.use(await startRailFixture());
const { alpha, beta, control, newPayer, sandbox } = fixture;
const second = stack.use(await sandbox.startNode());
const nodes = [sandbox.file.baseUrl, second.baseUrl];
const payer = await newPayer();
const each = 12_500n * 100n;
const ledgerOf = async (accountNo: string) => toMinor((await control.account(accountNo)).ledgerBalance);
const [same, other] = ["4092001", "4042018"];

/** A bulk that was accepted, when all its items have their results. */
async function accept(body: Json) {
  const first = await alpha.call(bulkPath, body);
  expectCode(first, "2002000");
  await untilBulkEnds(alpha, first);
  return { body, first };
}

/** Sends a bulk with items of an earlier one; it is answered with the first response to that, and nothing is taken. */
async function expectUsed(
  body: Json,
  code: string,
  position: number,
  { first, status = "00" }: { first: Answer; status?: string },
) {
  const from = String(body["sourceAccountNo"]);
  const look = async () => [await ledgerOf(from), await countBulkRows(sandbox.file)];
  const before = await look();
  const answer = await alpha.call(bulkPath, body);
  expectCode(answer, code);
  const words = code === same ? "Duplicate partnerReferenceNo" : "Inconsistent Request";
  assert.equal(answer.message, `${words} bulkObject[${position}].partnerReferenceNo`);
  const { partnerBulkId } = body;
  assert.deepEqual(fieldsOf(answer), {
    ...(partnerBulkId !== undefined && { partnerBulkId }),
    additionalInfo: { originalResponse: first.body, latestTransactionStatus: status },
  });
  assert.deepEqual(await look(), before);
}

test("an item's number used in another bulk: the item is named, with the first answer and the item's status", async () => {
  const { body, first } = await accept(bulkBody(payer, 5));
  const used = itemsOf(body)[3];
  const reuse = (position: number, more: Json = {}) => changeItem(bulkBody(payer, 20), position, { ...used, ...more });
  for (const position of [0, 17, 19]) await expectUsed(reuse(position), same, position, { first });
  // Names, originators and additionalInfo are no content; other spellings of amount and bank are the same.
  for (const more of [
    { beneficiaryAccountName: "Another", additionalInfo: { a: 1 } },
    { bankCode: "CENAIDJAXXX" },
    { amount: idr("10000") },
  ]) {
    await expectUsed(reuse(17, more), same, 17, { first });
  }
  for (const more of [
    { amount: idr("10000.01") },
    { beneficiaryAccountNo: "7001001002" },
    { bankCode: "008" },
    { bankCode: "998" },
  ]) {
    await expectUsed(reuse(17, more), other, 17, { first });
  }
  // Values that the items of a bulk share are content of each.
  await expectUsed({ ...reuse(17), sourceAccountNo: await newPayer() }, other, 17, { first });
  await expectUsed({ ...reuse(17), feeType: "SHA" }, other, 17, { first });
  // Two that were used: the first is named, whichever was used first.
  const [, two] = itemsOf(body);
  await expectUsed(changeItem(reuse(9), 4, { ...two, amount: idr("1.00") }), other, 4, { first });
  await expectUsed(changeItem(reuse(4), 9, { ...two, amount: idr("1.00") }), same, 4, { first });
  // Step 13 comes before step 14, and a bulk without a number of its own is no exception.
  await expectUsed(changeItem(reuse(17), 0, { amount: { value: "1.5", currency: "JPY" } }), same, 17, { first });
  await expectUsed({ ...reuse(17), sourceAccountNo: beta.partner.sourceAccounts[1] }, other, 17, { first });
  await expectUsed({ ...reuse(17), partnerBulkId: undefined }, same, 17, { first });
});

test("the bulk's own number and external id come before its items' numbers", async () => {
  const one = await accept(bulkBody(payer, 2));
  const externalId = newNumber();
  const two = bulkBody(payer, 2);
  expectCode(await alpha.call(bulkPath, two, { externalId }), "2002000");
  const { partnerBulkId } = one.body;
  const mixed = await alpha.call(bulkPath, { ...two, partnerBulkId });
  expectCode(mixed, other);
  assert.equal(mixed.message, "Inconsistent Request");
  assert.deepEqual(mixed.body["additionalInfo"], { originalResponse: one.first.body, latestTransactionStatus: "00" });
  const taken = await alpha.call(bulkPath, { ...one.body, partnerBulkId }, { externalId });
  expectCode(taken, "4092000");
  assert.equal("additionalInfo" in taken.body, false);
});

test("a bulk without a number of its own is known by its items, in any order; more or fewer items are other content", async () => {
  const body = bulkBody(payer, 4, { partnerBulkId: undefined });
  const externalId = newNumber();
  const first = await alpha.call(bulkPath, body, { externalId });
  expectCode(first, "2002000");
  assert.deepEqual(Object.keys(fieldsOf(first)), ["bulkId"]);
  await untilBulkEnds(alpha, first);
  const items = itemsOf(body);
  for (const bulkObject of [items, items.toReversed(), items.map((item) => ({ ...item, additionalInfo: "a" }))]) {
    for (const [code, options] of [
      ["4092000", { externalId }],
      [same, {}],
    ] as const) {
      const answer = await alpha.call(bulkPath, { ...body, bulkObject }, options);
      expectCode(answer, code);
      assert.deepEqual(answer.body["additionalInfo"], { originalResponse: first.body, latestTransactionStatus: "00" });
    }
  }
  await expectUsed({ ...body, bulkObject: items.slice(1) }, same, 0, { first });
  await expectUsed({ ...body, bulkObject: [bulkItem(), ...items] }, same, 1, { first });
  await expectUsed({ ...body, partnerBulkId: newNumber() }, same, 0, { first });
  const reused = await alpha.call(bulkPath, { ...body, bulkObject: items.slice(1) }, { externalId });
  expectCode(reused, "4092000");
  assert.equal(reused.message, "Conflict [X-EXTERNAL-ID was used for another request]");
});

test("numbers of rejected and returned items stay used, and the status beside the first answer is the item's", async () => {
  const from = await newPayer();
  const outcomes = ["rejected", "returnedAfterSettlement", "limbo", "success"];
  const body = bulkBody(
    from,
    outcomes.map((one) => bulkItem({ beneficiaryAccountNo: fixture.accountOf(one) })),
  );
  const first = await alpha.call(bulkPath, body);
  expectCode(first, "2002000");
  const items = itemsOf(body);
  const statusOf = async (item: Json | undefined) =>
    (await inquireBulk(alpha, { originalPartnerReferenceNo: numberOf(item) })).body["latestTransactionStatus"];
  await eventually(async () => (await Promise.all(items.map(statusOf))).join() === "06,00,03,00");
  await fixture.advance(60);
  assert.equal(await statusOf(items[1]), "04");
  for (const [position, status] of ["06", "04", "03", "00"].entries()) {
    const reuse = (more: Json = {}) => bulkBody(from, [bulkItem(), { ...items[position], ...more }]);
    await expectUsed(reuse(), same, 1, { first, status });
    await expectUsed(reuse({ beneficiaryAccountNo: "7001001001" }), other, 1, { first, status });
  }
  const again = await alpha.call(bulkPath, body);
  expectCode(again, same);
  assert.equal(again.message, "Duplicate partnerReferenceNo [partnerBulkId]");
  assert.deepEqual(again.body["additionalInfo"], { originalResponse: first.body, latestTransactionStatus: "03" });
});

test("numbers belong to a service and to a partner", async () => {
  const { body } = await accept(bulkBody(payer, 1));
  const partnerReferenceNo = numberOf(itemsOf(body)[0]);
  expectCode(await alpha.call(interbank.path, railBody(interbank, payer, { partnerReferenceNo })), "2001800");
  const theirs = await newPayer("1000000.00", { partnerId: "beta" });
  expectCode(await beta.call(bulkPath, { ...body, sourceAccountNo: theirs }), "2002000");
  // A bulk may have the number of an item, its own or another's.
  await accept(bulkBody(payer, 1, { partnerBulkId: partnerReferenceNo }));
  const item = bulkItem();
  await accept(bulkBody(payer, [item], { partnerBulkId: numberOf(item) }));
});

test("copies of one bulk at once on two nodes, one of them under another id: accepted once, and all are answered with it", async () => {
  for (const size of [3, 300]) {
    const from = await newPayer();
    const body = bulkBody(from, size);
    const externalId = newNumber();
    const calls = await Promise.all(
      Array.from({ length: 12 }, (_, index) => alpha.sign(bulkPath, body, index < 6 ? { externalId } : {})),
    );
    const answers = await Promise.all(calls.map((call, index) => alpha.send(call, nodes[index % 2])));
    const [first, ...more] = answers.filter(({ code }) => code === "2002000");
    assert.ok(first && more.length === 0, `${more.length + 1} were accepted`);
    for (const answer of answers.filter((one) => one !== first)) {
      assert.match(answer.code, /^409200[01]$/);
      const { originalResponse } = answer.body["additionalInfo"] as Record<string, Json>;
      assert.deepEqual(originalResponse, first.body);
    }
    const { transactionStatusDesc } = (await untilBulkEnds(alpha, first)).body;
    assert.equal(transactionStatusDesc, `Settled ${size} of ${size}`);
    assert.equal(await ledgerOf(from), 100_000_000_000n - BigInt(size) * each);
  }
});

test("different bulks that share numbers, at once on two nodes: one is accepted, and of the other nothing is left", async () => {
  for (const [round, size] of [2, 20, 200, 600].entries()) {
    const from = await newPayer();
    const shared = Array.from({ length: 1 + round }, () => bulkItem());
    const before = await countBulkRows(sandbox.file);
    const changed = round % 2 === 0 ? {} : { amount: idr("9999.00") };
    // In the other order, so that they would meet crosswise.
    const bodies = [
      bulkBody(from, [...shared, ...itemsOf(bulkBody(from, size))]),
      bulkBody(from, [
        ...itemsOf(bulkBody(from, size)),
        ...shared.toReversed().map((item) => ({ ...item, ...changed })),
      ]),
    ];
    const calls = await Promise.all(bodies.map((body) => alpha.sign(bulkPath, body)));
    const answers = await Promise.all(calls.map((call, index) => alpha.send(call, nodes[index])));
    const winner = answers.findIndex(({ code }) => code === "2002000");
    const loser = answers[1 - winner] ?? assert.fail(answers.map(({ code }) => code).join());
    expectCode(loser, round % 2 === 0 ? same : other);
    assert.ok(loser.message.endsWith(` bulkObject[${winner === 0 ? size : 0}].partnerReferenceNo`), loser.message);
    const { originalResponse } = loser.body["additionalInfo"] as Record<string, Json>;
    assert.deepEqual(originalResponse, answers[winner]?.body);
    const count = size + shared.length;
    const left = await countBulkRows(sandbox.file);
    for (const [name, added] of Object.entries({ bulks: 1, items: count, requests: count + 1 })) {
      assert.equal(Number(left[name]) - Number(before[name]), added, name);
    }
    const cheaper = winner === 1 && round % 2 === 1 ? BigInt(shared.length) * 100n : 0n;
    assert.equal(await ledgerOf(from), 100_000_000_000n - BigInt(count) * each + cheaper);
    // Its own numbers are free.
    const own = bodies[1 - winner] ?? {};
    const rest = itemsOf(own).filter((item) => !shared.some((one) => numberOf(one) === numberOf(item)));
    expectCode(await alpha.call(bulkPath, { ...own, bulkObject: rest }), "2002000");
  }
});

test("sends are ordered on two nodes: none is accepted after one that was sent later was rejected", async () => {
  const [rich = ""] = alpha.partner.sourceAccounts;
  const rounds = await Promise.all(
    Array.from({ length: 6 }, async (_, round) => {
      const from = await newPayer("0.00");
      const body = bulkBody(from, 2);
      const externalId = newNumber();
      const timestamps = [30, 20, 10].map((ago) => timestampOf(Date.now() - ago * 1_000));
      const sends = await Promise.all(
        timestamps.map((timestamp) =>
          alpha.sign(bulkPath, body, { externalId: round % 2 === 0 ? externalId : newNumber(), timestamp }),
        ),
      );
      const funding = await alpha.sign(transferPath, transferBody({ from: rich, to: from, value: "60000.00" }));
      const calls = [...sends, funding].map((call, index) => alpha.send(call, nodes[((round >> 1) + index) % 2]));
      return (await Promise.all(calls)).slice(0, 3).map(({ code }) => code);
    }),
  );
  for (const codes of rounds) {
    assert.match(codes.join(), /^(?:(?:2002000|40920(?:00|01)|4032014),?){3}$/);
    const accepted = codes.indexOf("2002000");
    if (accepted >= 0) assert.equal(codes.indexOf("4032014", accepted), -1, codes.join());
  }
});

// Last: the clock only moves forward.
test("the external id of a bulk stays taken for a day, and as long as one of its items is pending", async () => {
  const from = await newPayer();
  const externalId = newNumber();
  const limbo = bulkItem({ beneficiaryAccountNo: fixture.accountOf("limbo") });
  const first = await alpha.call(bulkPath, bulkBody(from, [bulkItem(), limbo]), { externalId });
  expectCode(first, "2002000");
  const untilPending = async () => {
    const references = { originalPartnerReferenceNo: numberOf(limbo) };
    const { latestTransactionStatus, referenceNumber } = (await inquireBulk(alpha, references)).body;
    return latestTransactionStatus === "03" && String(referenceNumber);
  };
  const referenceNo = await eventually(untilPending);
  await fixture.advance(25 * 3_600);
  const next = bulkBody(from, 1);
  expectCode(await alpha.call(bulkPath, next, { externalId }), "4092000");
  await control.call("POST", `transfers/${referenceNo}/resolve`, { result: "settled" });
  expectCode(await alpha.call(bulkPath, next, { externalId }), "2002000");
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
