// One external id, or one number of a partner, for payers in two cells is one payment, whichever node gets the calls.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { changePartner } from "../../packages/server/src/admin/partners/partners.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { startNode } from "../support/administration.ts";
import { eventually, fieldsOf } from "../support/black-box/answers.ts";
import { bulkBody, bulkItem, bulkPath } from "../support/black-box/bulks.ts";
import { createCaller, type Json, newNumber } from "../support/black-box/caller.ts";
import { addPartner, productionSettings } from "../support/black-box/production-partner.ts";
import { startService } from "../support/black-box/service.ts";
import { timestampOf } from "../support/black-box/signer.ts";
import { startProduction } from "../support/black-box/start-production.ts";
import { expectCode, transferBody, transferPath } from "../support/black-box/transfers.ts";
import { startAddress } from "../support/database/address.ts";
import { useDatabase } from "../support/database/database.ts";
import { withClient } from "../support/database/with-client.ts";
import { valueOf } from "../support/expect.ts";
import { add, openIn, ranges, writeCells } from "./cell-fixture.ts";

const [home, cell] = [await useDatabase(), await useDatabase()];
const port = Number(new URL(home.url).port);
const nowhere = 1;
const homeWire = await startAddress(port);
assert.ok((await add(home.url, cell.url)).ok);
using cells = writeCells(`1 ${cell.url} ${ranges}`);
const env = { TITIAN_CELLS: cells.file };
const production = await startProduction(env, homeWire.urlOf(home.url), { cells: [0, 1] });
const second = await startService({
  dataDir: production.dataDir,
  env: { ...productionSettings(home.url), ...env },
});
after(async () => {
  await second[Symbol.asyncDispose]();
  await production.close();
  await homeWire[Symbol.asyncDispose]();
  await home.drop();
  await cell.drop();
});
const { caller, served, agent } = production;
const later = await addPartner(home.url);
const laterCaller = createCaller({ ...served, partners: [later] }, later.partnerId, agent);
const [ofHome = "", otherOfHome = ""] = caller.partner.sourceAccounts;
const [ofCell, otherOfCell] = ["510000000001", "510000000002"];
const idsOfPartners = await withClient(home.ownerUrl, async (client) => {
  const { rows } = await client.query<{ id: string }>("select id from partners");
  return rows.map(({ id }) => id);
});
for (const accountNo of [ofCell, otherOfCell]) await openIn(cell.url, { accountNo, cell: 1, partners: idsOfPartners });

const fromHome = (partnerReferenceNo = newNumber()) =>
  transferBody({ from: ofHome, to: otherOfHome, partnerReferenceNo });
const fromCell = (partnerReferenceNo = newNumber()) =>
  transferBody({ from: ofCell, to: otherOfCell, partnerReferenceNo });
const pay = (body: Json, externalId = newId(), by = caller) => by.call(transferPath, body, { externalId });

const countIn = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ count: string }>("select count(*) from accepted_requests");
    return Number(rows[0]?.count);
  });
const counts = async () => [await countIn(home.ownerUrl), await countIn(cell.ownerUrl)] as const;
const sum = ([one, other]: readonly [number, number]) => one + other;
const inHome = (text: string, values: readonly unknown[] = []) =>
  withClient(home.ownerUrl, async (client) => (await client.query<Json>(text, [...values])).rows);

for (const [order, first, other] of [
  ["home first", fromHome, fromCell],
  ["the cell first", fromCell, fromHome],
] as const) {
  test(`one external id for payers in two cells is one payment, ${order}`, async () => {
    const externalId = newId();
    const before = sum(await counts());
    const paid = await pay(first(), externalId);
    expectCode(paid, "2001700");
    const again = await pay(other(), externalId);
    expectCode(again, "4091700");
    assert.match(again.message, /X-EXTERNAL-ID was used for another request/);
    assert.equal(sum(await counts()), before + 1);
  });

  test(`one number for payers in two cells is one payment, ${order}, and the answer tells of it`, async () => {
    const number = newNumber();
    const before = sum(await counts());
    const paid = await pay(first(number));
    expectCode(paid, "2001700");
    const again = await pay(other(number));
    expectCode(again, "4041718");
    const { originalResponse } = again.body["additionalInfo"] as { readonly originalResponse: Json };
    assert.equal(originalResponse["referenceNo"], fieldsOf(paid)["referenceNo"]);
    assert.equal(sum(await counts()), before + 1);
    expectCode(await pay(first(number)), "4091701");
  });
}

test("an external id of one payment and a number of another are answered as in one database: the external id first", async () => {
  const [externalId, number] = [newId(), newNumber()];
  expectCode(await pay(fromHome(), externalId), "2001700");
  expectCode(await pay(fromCell(number)), "2001700");
  expectCode(await pay(fromHome(number), externalId), "4091700");
  expectCode(await pay(fromCell(number), externalId), "4091700");
});

const tooMuch = (body: Json) => ({ ...body, amount: { value: "90000000000.00", currency: "IDR" } });
const toItself = (body: Json) => ({ ...body, beneficiaryAccountNo: body["sourceAccountNo"] });

for (const [order, wrong, right] of [
  ["home", fromHome, fromCell],
  ["the cell", fromCell, fromHome],
] as const) {
  test(`a call that ${order} has rejected is decided for a payer elsewhere, with all answers as within one database`, async () => {
    const [externalId, number] = [newId(), newNumber()];
    const now = Date.now();
    const sentAgo = (seconds: number, body: Json, nodeUrl = served.baseUrl) =>
      caller
        .sign(transferPath, body, { externalId, timestamp: timestampOf(now - seconds * 1_000) })
        .then((call) => caller.send(call, nodeUrl));
    const rejected = () => sentAgo(60, tooMuch(wrong(number)));
    const before = await counts();
    expectCode(await rejected(), "4031714");
    // Sent before the rejected one.
    expectCode(await sentAgo(90, right(number)), "4031714");
    expectCode(await sentAgo(50, toItself(right(number)), second.baseUrl), "4031715");
    expectCode(await rejected(), "4031714");
    expectCode(await sentAgo(90, right(number)), "4031714");
    expectCode(await sentAgo(55, right(number)), "4031715");
    assert.deepEqual(await counts(), before);
    expectCode(await sentAgo(40, right(number)), "2001700");
    expectCode(await sentAgo(90, right(number), second.baseUrl), "4091700");
    expectCode(await pay(right(number)), "4091701");
    expectCode(await rejected(), "4091700");
    expectCode(await pay(wrong(number), externalId), "4091700");
    expectCode(await pay(wrong(number)), "4041718");
    assert.equal(sum(await counts()), sum(before) + 1);
  });
}

test("of 50 sends of one external id, or of one number, at once to two nodes one is taken", async () => {
  for (const isByNumber of [false, true]) {
    const [externalId, number] = [newId(), newNumber()];
    const before = sum(await counts());
    const signed = await Promise.all(
      Array.from({ length: 50 }, (_none, at) => {
        const body = (at % 2 === 0 ? fromHome : fromCell)(isByNumber ? number : undefined);
        return caller.sign(transferPath, body, { externalId: isByNumber ? newId() : externalId });
      }),
    );
    const answers = await Promise.all(
      signed.map((call, at) => caller.send(call, at % 4 < 2 ? served.baseUrl : second.baseUrl)),
    );
    const taken = answers.filter(({ code }) => code === "2001700");
    assert.equal(taken.length, 1, answers.map(({ code }) => code).join(" "));
    assert.equal(sum(await counts()), before + 1);
  }
});

test("a bulk's items are bound, too: one whose number another cell has used is named", async () => {
  const number = newNumber();
  const bulk = (from: string) =>
    bulkBody(from, [bulkItem(), bulkItem({ partnerReferenceNo: number })], { partnerBulkId: newNumber() });
  expectCode(await caller.call(bulkPath, bulk(ofCell)), "2002000");
  const before = await counts();
  const again = await caller.call(bulkPath, bulk(ofHome));
  expectCode(again, "4042018");
  assert.match(again.message, /bulkObject\[1\]\.partnerReferenceNo/);
  assert.deepEqual(await counts(), before);
});

test("an external id is bound anew when its time is over and its cell has it no more", async () => {
  const externalId = newId();
  expectCode(await pay(fromCell(), externalId), "2001700");
  await inHome(
    "update bound_keys set bound_at = bound_at - interval '30 days' where key < '80000000-0000-0000-0000-000000000000'",
  );
  // Its request is still in its window.
  expectCode(await pay(fromHome(), externalId), "4091700");
  await withClient(cell.ownerUrl, async (client) => {
    await client.query(
      "delete from request_keys where request_id in (select id from accepted_requests) and key < '80000000-0000-0000-0000-000000000000'",
    );
  });
  expectCode(await pay(fromHome(), externalId), "2001700");
  expectCode(await pay(fromCell(), externalId), "4091700");
});

test("while home is away calls of a partner with several cells are not taken", async () => {
  const before = await countIn(cell.ownerUrl);
  homeWire.leadTo(nowhere);
  homeWire.cut();
  const [externalId, number] = [newId(), newNumber()];
  const answer = await pay(fromCell(number), externalId);
  expectCode(answer, "5031700");
  assert.match(String(answer.headers["retry-after"]), /^\d+$/);
  assert.equal(await countIn(cell.ownerUrl), before);
  homeWire.leadTo(port);
  await eventually(async () => (await pay(fromCell(number), externalId)).code === "2001700");
});

test("a partner with one cell binds nothing, and has no payer elsewhere", async () => {
  const bound = () => inHome("select count(*)::int as count from bound_keys");
  const before = await bound();
  const [payer = "", payee = ""] = later.sourceAccounts;
  expectCode(await pay(transferBody({ from: payer, to: payee }), newId(), laterCaller), "2001700");
  expectCode(await pay(fromCell(), newId(), laterCaller), "4031715");
  assert.deepEqual(await bound(), before);
});

test("a cell that is added takes calls from its time on, and finds what was used before", async () => {
  const [payer = "", payee = ""] = later.sourceAccounts;
  const [externalId, number] = [newId(), newNumber()];
  expectCode(
    await pay(transferBody({ from: payer, to: payee, partnerReferenceNo: number }), externalId, laterCaller),
    "2001700",
  );
  await using node = await startNode(home.url);
  valueOf(await changePartner(node, later.partnerId, { cells: [0, 1] }));
  await eventually(async () => (await pay(fromCell(), newId(), laterCaller)).code === "5031700");
  const early = await pay(fromCell(), newId(), laterCaller);
  assert.equal(early.headers["retry-after"], "60");
  expectCode(await pay(transferBody({ from: payer, to: payee }), newId(), laterCaller), "2001700");
  await inHome(
    `update partners set settings = '{"cells": [{"cell": 0}, {"cell": 1, "since": 1}]}'::jsonb || (settings::jsonb - 'cells'),
      version = (select version + 1 from reference_version) where partner_id = $1`,
    [later.partnerId],
  );
  await inHome("update reference_version set version = version + 1");
  await eventually(async () => (await pay(fromCell(), newId(), laterCaller)).code === "2001700");
  expectCode(await pay(fromCell(), externalId, laterCaller), "4091700");
  expectCode(await pay(fromCell(number), newId(), laterCaller), "4041718");
});
