/**
 * Answers of 36 and 53 about bulks (20) and their items (spec D13, D15, D19), by HTTP: every status, all references.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { choicesOf, eventually, fieldsOf, unknownNumber } from "../../support/black-box/answers.ts";
import {
  bulkBody,
  bulkItem,
  bulkPath,
  inquireBulk,
  itemsOf,
  numberOf,
  untilBulkEnds,
} from "../../support/black-box/bulks.ts";
import { type Json, newNumber } from "../../support/black-box/caller.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { queryRows } from "../../support/database/with-client.ts";
import { expectCode, idr, statusPath } from "../../support/black-box/transfers.ts";

const fixture = await startRailFixture({ TITIAN_INTERBANK_WAIT_SECONDS: "1" });
after(() => fixture[Symbol.asyncDispose]());
const { alpha, beta, control, sandbox } = fixture;
const payer = await fixture.newPayer();
const paths = { "36": statusPath, "53": "qr/qr-mpm-status" } as const;

interface Sent {
  readonly body: Json;
  readonly references: Readonly<
    Record<"originalPartnerReferenceNo" | "originalReferenceNo" | "originalExternalId", string>
  >;
}

/** Accepts a bulk with an item to the account of each scenario. */
async function send(...outcomes: readonly string[]): Promise<Sent> {
  const items = outcomes.map((one) => bulkItem({ beneficiaryAccountNo: fixture.accountOf(one) }));
  const body = bulkBody(payer, items, { feeType: "SHA", additionalInfo: { k: 1 } });
  const originalExternalId = newNumber();
  const answer = await alpha.call(bulkPath, body, { externalId: originalExternalId });
  expectCode(answer, "2002000");
  const [originalPartnerReferenceNo, originalReferenceNo] = [body["partnerBulkId"], answer.body["bulkId"]].map(String);
  assert.ok(originalPartnerReferenceNo && originalReferenceNo);
  return { body, references: { originalPartnerReferenceNo, originalReferenceNo, originalExternalId } };
}

/** By each reference alone and any together, 36 and 53 tell the same, whatever else is said. */
async function expectTold(references: Json, told: Json): Promise<void> {
  for (const chosen of choicesOf(Object.keys(references))) {
    const asked = Object.fromEntries(Object.entries(references).filter(([name]) => chosen.includes(name)));
    for (const [code, path] of Object.entries(paths)) {
      const said = { transactionDate: "2020-01-01T00:00:00Z", amount: idr("1.00") };
      const answer = await alpha.call(path, { serviceCode: "20", ...asked, ...(code === "53" && said) });
      expectCode(answer, `200${code}00`);
      assert.deepEqual(fieldsOf(answer), told, `${code} by ${chosen.join()}`);
    }
  }
}

const shared = {
  sourceAccountNo: payer,
  serviceCode: "20",
  transactionDate: "2026-11-21T10:00:00+07:00",
  previousResponseCode: "2002000",
};

/** Status of a bulk; `counts`: settled, rejected, returned, open. */
function toldOfBulk(
  { references }: Sent,
  status: string,
  [settled, rejected, returned, open]: readonly number[],
): Json {
  const [s = 0, r = 0, b = 0, o = 0] = [settled, rejected, returned, open];
  const itemCount = s + r + b + o;
  const counts = { settledCount: s, rejectedCount: r, returnedCount: b, openCount: o };
  return {
    ...shared,
    ...references,
    beneficiaryAccountNo: "",
    referenceNumber: references.originalReferenceNo,
    latestTransactionStatus: status,
    amount: idr(`${itemCount * 10_000}.00`),
    transactionStatusDesc: `Settled ${s} of ${itemCount}`,
    additionalInfo: {
      // The fees of rejected items are back.
      fee: `${(itemCount - r) * 2_500}.00`,
      itemCount: String(itemCount),
      ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)])),
    },
  };
}

const words: Json = { "00": "Success", "01": "Initiated", "02": "Paying", "03": "Pending", "04": "Refunded" };

/** By its number and by ours, also with the external id of its bulk. */
async function expectItem({ body, references }: Sent, position: number, status: string): Promise<void> {
  const item = itemsOf(body)[position] ?? {};
  const originalPartnerReferenceNo = numberOf(item);
  const { referenceNumber } = (await inquireBulk(alpha, { originalPartnerReferenceNo })).body;
  const own = { originalPartnerReferenceNo, originalReferenceNo: String(referenceNumber) };
  const rejection = { responseCode: "4032005", responseMessage: "Do Not Honor" };
  const { originalExternalId } = references;
  const told = {
    ...shared,
    ...own,
    originalExternalId,
    referenceNumber,
    beneficiaryAccountNo: item["beneficiaryAccountNo"],
    beneficiaryBankCode: item["bankCode"],
    latestTransactionStatus: status,
    amount: item["amount"],
    ...(status === "06"
      ? { transactionStatusDesc: "4032005 Do Not Honor", additionalInfo: { fee: "0.00", rejection } }
      : { transactionStatusDesc: words[status], additionalInfo: { fee: "2500.00" } }),
  };
  await expectTold(own, told);
  for (const one of [{ originalPartnerReferenceNo }, { originalReferenceNo: String(referenceNumber) }, own]) {
    const together = await inquireBulk(alpha, { ...one, originalExternalId });
    assert.deepEqual(fieldsOf(together), told);
  }
}

async function untilItem({ body }: Sent, position: number, status: string): Promise<void> {
  const references = { originalPartnerReferenceNo: numberOf(itemsOf(body)[position]) };
  await eventually(async () => (await inquireBulk(alpha, references)).body["latestTransactionStatus"] === status);
}

/** The rail was called for every item, and was down. */
async function untilWithdrawn({ references }: Sent): Promise<void> {
  const others = `select t.id from transfers t join accepted_requests r on r.id = t.id
    where r.external_id = '${references.originalExternalId}' and not (t.state = 'queued' and t.version > 0)`;
  await eventually(async () => (await queryRows(sandbox.file.databaseUrl, others)).length === 0);
}

const resolve = async ({ body }: Sent, position: number, result: string) => {
  const found = await inquireBulk(alpha, { originalPartnerReferenceNo: numberOf(itemsOf(body)[position]) });
  await control.call("POST", `transfers/${String(found.body["referenceNumber"])}/resolve`, { result });
};

test("every status of a bulk and of its items: by each reference alone and any together, all of the record", async () => {
  const mixed = await send("success", "rejected", "limbo", "returnedAfterSettlement", "limbo");
  for (const [position, status] of ["00", "06", "03", "00", "03"].entries()) await untilItem(mixed, position, status);
  await expectTold(mixed.references, toldOfBulk(mixed, "03", [2, 1, 0, 2]));
  await fixture.advance(60);
  await untilItem(mixed, 3, "04");
  await expectTold(mixed.references, toldOfBulk(mixed, "03", [1, 1, 1, 2]));
  for (const [position, status] of ["00", "06", "03", "04", "03"].entries()) await expectItem(mixed, position, status);
  await resolve(mixed, 2, "settled");
  await expectTold(mixed.references, toldOfBulk(mixed, "03", [2, 1, 1, 1]));
  await resolve(mixed, 4, "refused");
  await expectTold(mixed.references, toldOfBulk(mixed, "00", [2, 2, 1, 0]));
});

test("a bulk of which nothing settled has status 06; while the rail is down 01, and while it answers nothing 02", async () => {
  const rejected = await send("rejected", "rejected");
  await untilBulkEnds(alpha, { body: { bulkId: rejected.references.originalReferenceNo } } as never);
  await expectTold(rejected.references, toldOfBulk(rejected, "06", [0, 2, 0, 0]));
  const returned = await send("returnedAfterSettlement");
  await untilItem(returned, 0, "00");
  await expectTold(returned.references, toldOfBulk(returned, "00", [1, 0, 0, 0]));
  await fixture.advance(60);
  await untilItem(returned, 0, "04");
  await expectTold(returned.references, toldOfBulk(returned, "00", [0, 0, 1, 0]));
  await fixture.setMode("interbank", "down");
  const waiting = await send("success", "success");
  await untilWithdrawn(waiting);
  await expectTold(waiting.references, toldOfBulk(waiting, "03", [0, 0, 0, 2]));
  await expectItem(waiting, 1, "01");
  await fixture.setMode("interbank", "limbo");
  const silent = await send("success");
  await untilItem(silent, 0, "02");
  await expectItem(silent, 0, "02");
  await expectTold(silent.references, toldOfBulk(silent, "03", [0, 0, 0, 1]));
  await fixture.setMode("interbank", "normal");
  for (const [sent, count] of [
    [waiting, 2],
    [silent, 1],
  ] as const) {
    for (let position = 0; position < count; position += 1) await untilItem(sent, position, "00");
    await expectTold(sent.references, toldOfBulk(sent, "00", [count, 0, 0, 0]));
  }
});

/** Not found: 404xx01 with 07, and the request echoed. */
async function expectNotFound(asked: Json, caller = alpha): Promise<void> {
  for (const [code, path] of Object.entries(paths)) {
    const answer = await caller.call(path, asked);
    expectCode(answer, `404${code}01`);
    assert.match(answer.message, /^Transaction Not Found/);
    const status = { latestTransactionStatus: "07", transactionStatusDesc: "Not found" };
    assert.deepEqual(fieldsOf(answer), { ...asked, ...status }, JSON.stringify(asked));
  }
}

test("references that contradict each other, another service's code, another partner's or nobody's numbers: not found, with 07", async () => {
  const [one, two] = [await send("success", "success"), await send("success")];
  const serviceCode = "20";
  const names = Object.keys(one.references) as (keyof Sent["references"])[];
  for (const wrong of choicesOf(names).filter((some) => some.length < names.length)) {
    const mixed = names.map((name) => [name, (wrong.includes(name) ? two : one).references[name]]);
    await expectNotFound({ serviceCode, ...Object.fromEntries(mixed) });
  }
  const [first, second] = itemsOf(one.body).map(numberOf);
  const item = await inquireBulk(alpha, { originalPartnerReferenceNo: first });
  const { originalReferenceNo, originalExternalId } = one.references;
  const ofItem = String(item.body["referenceNumber"]);
  for (const asked of [
    // An item is not its bulk, nor another item of it.
    { originalPartnerReferenceNo: first, originalReferenceNo },
    { originalPartnerReferenceNo: one.references.originalPartnerReferenceNo, originalReferenceNo: ofItem },
    { originalPartnerReferenceNo: second, originalReferenceNo: ofItem },
    { originalPartnerReferenceNo: first, originalExternalId: two.references.originalExternalId },
    { originalReferenceNo: ofItem, originalExternalId: newNumber() },
    { originalReferenceNo: unknownNumber },
    { originalReferenceNo: originalReferenceNo.toLowerCase() },
    { originalPartnerReferenceNo: newNumber() },
    { ...one.references, originalExternalId: newNumber() },
  ]) {
    await expectNotFound({ serviceCode, ...asked });
  }
  const all = [
    ...names.map((name) => ({ [name]: one.references[name] })),
    { originalPartnerReferenceNo: first },
    { originalReferenceNo: ofItem },
  ];
  for (const asked of all) {
    for (const other of ["17", "18", "19", "22", "23"]) await expectNotFound({ serviceCode: other, ...asked });
    await expectNotFound({ serviceCode, ...asked }, beta);
  }
  // The external id is the bulk's.
  const found = await inquireBulk(alpha, { originalExternalId });
  assert.equal(found.body["originalReferenceNo"], originalReferenceNo);
});

test("a bulk with the number of an item: the number alone is the item's, with the bulk's other references it is the bulk's", async () => {
  const item = bulkItem();
  const originalPartnerReferenceNo = numberOf(item);
  const answer = await alpha.call(bulkPath, bulkBody(payer, [item], { partnerBulkId: originalPartnerReferenceNo }));
  expectCode(answer, "2002000");
  const originalReferenceNo = answer.body["bulkId"];
  const alone = await inquireBulk(alpha, { originalPartnerReferenceNo });
  assert.equal(alone.body["beneficiaryAccountNo"], item["beneficiaryAccountNo"]);
  const together = await inquireBulk(alpha, { originalPartnerReferenceNo, originalReferenceNo });
  assert.deepEqual(
    [together.body["beneficiaryAccountNo"], together.body["referenceNumber"]],
    ["", originalReferenceNo],
  );
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
