/** Calls beside their records: written behind the answers, found by record, number and correlation id, and without secrets. */
import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { type CaseName, type OperationName, operations, responseCode } from "../../packages/contract/src/index.ts";
import { maskBody } from "../../packages/explain/src/index.ts";
import { type AnsweredCall, createCallBuffer } from "../../packages/server/src/admin/calls/call-buffer.ts";
import { createKeepCalls } from "../../packages/server/src/admin/calls/keep-calls.ts";
import { createBodySeal } from "../../packages/server/src/admin/search/kept-body.ts";
import { createFillSearch } from "../../packages/server/src/admin/search/fill-search.ts";
import { monthOf, readSearchKeys } from "../../packages/server/src/admin/search/search-keys.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { idAt, newCorrelationId, newId, toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { createSecrets } from "../../packages/server/src/basics/secrets.ts";
import { partnerReferenceKey } from "../../packages/server/src/engine/batch/idempotency-keys.ts";
import { emptySearch, endSearchKeys } from "../../packages/server/src/store/partitions/search.ts";
import {
  findKeptCall,
  listCallsOfNumber,
  listKeptCalls,
} from "../../packages/server/src/store/tables/search/kept-calls.ts";
import { outcomeOf } from "../../packages/server/src/views/calls/calls-of-record.ts";
import { masterKeys } from "../support/administration.ts";
import { useJobDatabase } from "../support/database/job-database.ts";
import { insertRow } from "../support/database/valid-rows.ts";
import { mayGoOn } from "../support/run-job.ts";

const database = await useJobDatabase();
const { pool, client } = database;
after(() => database.drop());

const day = 86_400_000;
const secrets = createSecrets(masterKeys);
const partners = { shop: newId(), other: newId() };
type PartnerId = keyof typeof partners;

/** A node that keeps calls. */
function newNode({ perSecond = 250 } = {}) {
  const buffer = createCallBuffer();
  let lost = 0;
  const reference = {
    byPartnerId: (id: string) => (id in partners ? { key: partners[id as PartnerId] } : undefined),
  };
  const onLost = (calls: number) => void (lost += calls);
  const deps = { pool, clock: createClock(), secrets, buffer, reference, hide: maskBody, keepMs: 400 * day };
  const { run } = createKeepCalls({ ...deps, perSecond, onLost });
  return { add: buffer.add, run: () => run(mayGoOn), lost: () => lost, dropped: buffer.dropped };
}

interface Answered {
  readonly operation: OperationName;
  readonly partnerId?: PartnerId;
  /** Absent: a success. */
  readonly rejection?: CaseName;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly number?: string;
  readonly at?: number;
}

let clock = Date.now();

function answered({ operation, partnerId = "shop", rejection, fields, number, at = (clock += 1) }: Answered) {
  const call: AnsweredCall = {
    id: newCorrelationId(),
    businessTime: at,
    rawHeaders: ["X-EXTERNAL-ID", "E1"],
    address: "fe80::1%eth0",
    body: Buffer.from(JSON.stringify(fields)),
    fields,
    operation,
    partnerId,
    isAuthenticated: true,
    rejection: rejection && { case: rejection },
    responseCode: responseCode(rejection ?? "success", operations[operation].code),
    number,
  };
  return call;
}

/** A request of the shop that was accepted, with the key of its number. */
async function accept(operation: OperationName, number: string, at = Date.now()): Promise<string> {
  const id = idAt(at).slice(0, 13) + newId().slice(13);
  const { code } = operations[operation];
  const key = partnerReferenceKey(partners.shop, code, number);
  const row = { id, partner: partners.shop, service: Number(code), partner_reference_key: key };
  await insertRow(client, "accepted_requests", row);
  await insertRow(client, "request_keys", { key, request_id: id });
  return id;
}

const outcomesOf = async (record: string) => (await listKeptCalls(pool, [record])).map(outcomeOf);

beforeEach(async () => {
  await client.query("truncate table kept_calls");
});

test("a record has the calls that made, repeated and asked about it; inquiries are one row, counted", async () => {
  const node = newNode();
  const fields = { partnerReferenceNo: "T-1" };
  const record = await accept("intrabankTransfer", "T-1");
  const made = answered({ operation: "intrabankTransfer", fields, number: toReferenceNo(record) });
  const asked = { serviceCode: "17", originalPartnerReferenceNo: "T-1" };
  node.add(made);
  node.add(answered({ operation: "intrabankTransfer", fields, rejection: "conflict" }));
  const inquiry = () =>
    answered({ operation: "statusInquiryBank", fields: asked, number: toReferenceNo(record), at: (clock += 1) });
  for (let count = 0; count < 3; count += 1) node.add(inquiry());
  await node.run();
  const last = inquiry();
  node.add(last);
  node.add(answered({ operation: "statusInquiryBank", fields: asked, rejection: "generalError" }));
  await node.run();
  const kept = await listKeptCalls(pool, [record]);
  assert.deepEqual(kept.map(outcomeOf), ["accepted", "repeat", "inquiry", "rejected"]);
  assert.deepEqual([kept[0]?.correlationId, kept[0]?.at], [made.id, made.businessTime]);
  assert.deepEqual([kept[2]?.inquiries, kept[2]?.correlationId, kept[2]?.at], [4, last.id, last.businessTime]);
  assert.deepEqual(
    kept.map(({ address }) => address),
    ["fe80::1", "fe80::1", undefined, "fe80::1"],
  );
  // Bodies of rejected calls alone, and none of a copy.
  assert.deepEqual(
    kept.map(({ body }) => body !== undefined),
    [false, false, false, true],
  );
  assert.equal((await findKeptCall(pool, made.id))?.record, record);
});

test("captures, refunds and their inquiries are calls on the hold, by its number or its partner's", async () => {
  const node = newNode();
  const hold = await accept("authPayment", "H-1");
  const capture = { originalReferenceNo: toReferenceNo(hold), partnerCaptureNo: "C-1" };
  node.add(answered({ operation: "authCapture", fields: capture, number: toReferenceNo(hold) }));
  node.add(answered({ operation: "authCapture", fields: capture, rejection: "invalidAmount" }));
  node.add(answered({ operation: "authCaptureQuery", fields: capture, number: toReferenceNo(newId()) }));
  const refund = { originalPartnerReferenceNo: "H-1", partnerRefundNo: "R-1" };
  node.add(answered({ operation: "authRefund", fields: refund, rejection: "insufficientFunds" }));
  node.add(answered({ operation: "authPaymentQuery", fields: { originalPartnerReferenceNo: "H-1" } }));
  await node.run();
  assert.deepEqual(await outcomesOf(hold), ["accepted", "rejected", "rejected", "inquiry"]);
  assert.equal((await listKeptCalls(pool, [hold])).at(-1)?.inquiries, 2);
});

test("a call that names another partner's record is none of that record's", async () => {
  const node = newNode();
  const hold = await accept("authPayment", "H-2");
  const fields = { originalReferenceNo: toReferenceNo(hold), originalPartnerReferenceNo: "H-2" };
  node.add(answered({ operation: "authPaymentQuery", partnerId: "other", fields }));
  const rejected = answered({ operation: "authVoid", partnerId: "other", fields, rejection: "transactionNotFound" });
  node.add(rejected);
  await node.run();
  assert.deepEqual(await outcomesOf(hold), []);
  const kept = await findKeptCall(pool, rejected.id);
  assert.deepEqual([kept?.partner, kept?.record === hold], [partners.other, false]);
});

test("a rejected call is found by its correlation id, and by its number once a request has that", async () => {
  const node = newNode();
  const fields = {
    partnerReferenceNo: "T-2",
    amount: { value: "1.00", currency: "IDR" },
    accessToken: "very-secret-1",
  };
  const rejected = answered({ operation: "intrabankTransfer", fields, rejection: "insufficientFunds" });
  const nameless = answered({ operation: "intrabankTransfer", fields: {}, rejection: "invalidMandatoryField" });
  for (const call of [rejected, nameless]) node.add(call);
  await node.run();
  const key = partnerReferenceKey(partners.shop, "17", "T-2");
  const [found] = await listCallsOfNumber(pool, key, 20);
  assert.equal(found?.correlationId, rejected.id);
  // It is for nobody who has a record.
  assert.equal((await findKeptCall(pool, nameless.id))?.body, undefined);
  const { rows } = await client.query("select string_agg(kept_calls::text, '') as text from kept_calls");
  assert.doesNotMatch(rows[0]?.text, /T-2|secret|amount/);
  const open = async () => {
    const [key1] = (await readSearchKeys({ pool, secrets })).map(({ key: own }) => own);
    return key1 && createBodySeal(key1).open(found?.body ?? "", rejected.id);
  };
  const opened = (await open()) ?? assert.fail();
  assert.match(opened, /"partnerReferenceNo":"T-2"/);
  assert.doesNotMatch(opened, /very-secret/);
  const [month] = (await readSearchKeys({ pool, secrets })).map((one) => one.month);
  assert.equal(createBodySeal(Buffer.alloc(32)).open(found?.body ?? "", rejected.id), undefined);
  await endSearchKeys(client, month ?? "");
  assert.equal(await open(), undefined);
  const later = answered({ operation: "intrabankTransfer", fields, rejection: "insufficientFunds" });
  node.add(later);
  await node.run();
  const afterwards = await findKeptCall(pool, later.id);
  assert.deepEqual([afterwards?.responseCode, afterwards?.body], ["4031714", undefined]);
  await client.query("delete from search_keys");
});

test("a rejected call of no record has words as requests have, from its body, until its key is ended", async () => {
  const node = newNode();
  const fields = {
    partnerReferenceNo: "T-4",
    amount: { value: "7.00", currency: "IDR" },
    // PostgreSQL takes no such text.
    sourceAccountNo: "1001\u0000",
    beneficiaryBankCode: "014",
    beneficiaryAccountNo: "778",
    beneficiaryAccountName: "Wulan Sari",
  };
  const reject = (more: object) =>
    answered({ operation: "interbankTransfer", fields: { ...fields, ...more }, rejection: "insufficientFunds" });
  const [whole, cut] = [reject({}), reject({ remark: "x".repeat(4_096) })];
  const nameless = reject({ partnerReferenceNo: 7 });
  const inquiry = { operation: "statusInquiryBank", rejection: "transactionNotFound" } as const;
  const asked = answered({ ...inquiry, fields: { serviceCode: "18", originalPartnerReferenceNo: "T-4" } });
  for (const call of [whole, cut, nameless, asked]) node.add(call);
  await node.run();
  const terms = {
    pool,
    clock: createClock(),
    secrets,
    keepMs: 400 * day,
    perSecond: 10_000,
    onBehind: () => undefined,
  };
  const { run } = createFillSearch(terms);
  const record = (await findKeptCall(pool, whole.id))?.record ?? assert.fail();
  const wordsOf = async (calls: readonly AnsweredCall[]) => {
    const kept = await Promise.all(calls.map(({ id }) => findKeptCall(pool, id)));
    const text = "select word from search_words where record = any($1) order by 1";
    return (await client.query(text, [kept.map((call) => call?.record)])).rows.map(({ word }) => String(word));
  };
  await emptySearch(client);
  await run(mayGoOn);
  const words = await wordsOf([whole]);
  assert.deepEqual([words.length, await wordsOf([cut, nameless, asked])], [6, []]);
  assert.equal(await run(mayGoOn), 0, "all is written");
  await emptySearch(client);
  await run(mayGoOn);
  assert.deepEqual(await wordsOf([whole]), words);
  await endSearchKeys(client, monthOf(record));
  await emptySearch(client);
  await run(mayGoOn);
  assert.deepEqual(await wordsOf([whole]), []);
  await client.query("delete from search_keys");
});

test("a record has twenty rows at most, the first ones, and inquiries beside them", async () => {
  const node = newNode();
  const record = await accept("intrabankTransfer", "T-3");
  const fields = { partnerReferenceNo: "T-3" };
  const first = answered({ operation: "intrabankTransfer", fields, number: toReferenceNo(record) });
  node.add(first);
  for (let count = 0; count < 12; count += 1)
    node.add(answered({ operation: "intrabankTransfer", fields, rejection: "duplicatePartnerReferenceNo" }));
  await node.run();
  for (let count = 0; count < 30; count += 1)
    node.add(answered({ operation: "intrabankTransfer", fields, rejection: "duplicatePartnerReferenceNo" }));
  node.add(
    answered({
      operation: "statusInquiryBank",
      fields: { serviceCode: "17", originalPartnerReferenceNo: "T-3" },
      number: toReferenceNo(record),
    }),
  );
  await node.run();
  const kept = await listKeptCalls(pool, [record]);
  assert.equal(kept.length, 20);
  assert.equal(kept[0]?.correlationId, first.id);
  assert.equal(kept.filter(({ inquiries }) => inquiries === 1).length, 1);
});

test("of one partner's rejected calls that name nothing so many are kept in a run, and a budget is shared", async () => {
  const node = newNode({ perSecond: 100 });
  const rejected = (partnerId: PartnerId) =>
    answered({ operation: "intrabankTransfer", partnerId, fields: {}, rejection: "invalidMandatoryField" });
  for (let count = 0; count < 300; count += 1) node.add(rejected("shop"));
  const quiet = Array.from({ length: 10 }, () => rejected("other"));
  for (const call of quiet) node.add(call);
  assert.equal(await node.run(), 100);
  for (const call of quiet) assert.equal((await findKeptCall(pool, call.id))?.partner, partners.other);
  const { rows } = await client.query("select partner, count(*)::int as count from kept_calls group by partner");
  const counts = new Map(rows.map(({ partner, count }) => [partner, count]));
  assert.deepEqual([counts.get(partners.shop), counts.get(partners.other)], [25, 10]);
  assert.equal(node.lost(), 65);
});

test("calls about records that are too old are not kept; where writing fails they are lost, and those behind them are not", async () => {
  const node = newNode();
  const old = await accept("authPayment", "H-3", Date.now() - 401 * day);
  const query = (fields: Answered["fields"]) => answered({ operation: "authPaymentQuery", fields });
  node.add(query({ originalReferenceNo: toReferenceNo(old) }));
  await node.run();
  assert.deepEqual(await outcomesOf(old), []);
  const hold = await accept("authPayment", "H-4");
  node.add(query({ originalReferenceNo: toReferenceNo(hold) }));
  await client.query("alter table kept_calls add constraint full_disk check (record is null) not valid");
  await assert.rejects(node.run(), /full_disk/);
  assert.equal(node.lost(), 1);
  await client.query("alter table kept_calls drop constraint full_disk");
  node.add(query({ originalReferenceNo: toReferenceNo(hold) }));
  await node.run();
  assert.deepEqual(await outcomesOf(hold), ["inquiry"]);
});
