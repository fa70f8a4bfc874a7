/** Business rejections of a bulk (20) that our own data decides (spec D2, D6, D13), by plain HTTP: the exact item, nothing moved, status 06. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fieldsOf } from "../../support/black-box/answers.ts";
import {
  bulkBody,
  bulkPath,
  changeItem,
  countBulkRows,
  inquireBulk,
  itemsOf,
  numberOf,
  untilBulkEnds,
} from "../../support/black-box/bulks.ts";
import { type Answer, type Json, newNumber } from "../../support/black-box/caller.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { moneyAt } from "../../support/black-box/rails/rail-money.ts";
import { expectCode, idr } from "../../support/black-box/transfers.ts";

const fixture = await startRailFixture();
after(() => fixture[Symbol.asyncDispose]());
const { alpha, beta, control, newPayer, sandbox } = fixture;
const { bankCode } = sandbox.file;
/** One of home, as all payers here: over several cells a number that was rejected is sent again for one of the same cell. */
const [, foreign = ""] = beta.partner.sourceAccounts;
const count = 20;
const limitedTo = (limits: Json) => newPayer("1000000000.00", { limits });
async function payerOf(status: string): Promise<string> {
  const accountNo = await newPayer("0.00");
  await control.change(accountNo, { status });
  return accountNo;
}
const [rich, empty, dollars, short, each, daily, often, blocked, closed, dormantOne] = await Promise.all([
  newPayer(),
  newPayer("0.00"),
  newPayer("1000000000.00", { currency: "USD" }),
  // Twenty times 10,000.00 and the fee, but for one rupiah.
  newPayer("249999.00"),
  limitedTo({ each: "9999.99" }),
  limitedTo({ daily: "199999.99" }),
  limitedTo({ dailyCount: count - 1 }),
  payerOf("blocked"),
  payerOf("closed"),
  payerOf("dormant"),
]);

interface Row {
  readonly why: string;
  /** Absent: one that can pay. */
  readonly from?: string;
  /** Changes of the bulk, and of its items by position. */
  readonly bulk?: Json;
  readonly items?: Readonly<Record<number, Json>>;
  /** Status and case digits. */
  readonly code: string;
  /** The end of the message. */
  readonly message: string;
}

const to = (code: string) => ({ bankCode: code });
const amount = (value: string, currency = "IDR") => ({ amount: { value, currency } });
const account = { code: "40315", message: "Transaction Not Permitted. [Source account]" };
const inactive = { code: "40318", message: "Inactive Card/Account/Customer [Source account]" };
const dormant = { code: "40309", message: "Dormant Account [Source account]" };
const bank = (at: number, why: string) => ({
  code: "40403",
  message: `Bank Not Supported By Switch bulkObject[${at}].bankCode [${why}]`,
});
const currency = (at: number, member = "currency") => ({
  code: "40001",
  message: `Invalid Field Format bulkObject[${at}].amount.${member}`,
});
const invalid = (at: number, why: string) => ({
  code: "40413",
  message: `Invalid Amount bulkObject[${at}].amount.value [${why}]`,
});
const limit = (at: number, why: string) => ({
  code: "40302",
  message: `Exceeds Transaction Amount Limit bulkObject[${at}].amount.value [${why}]`,
});
const tooOften = { code: "40304", message: "Activity Count Limit Exceeded [Account limit]" };
const tooMuch = { code: "40323", message: "Account Limit Exceed [Source account]" };
const funds = { code: "40314", message: "Insufficient Funds" };

const rows: readonly Row[] = [
  { why: "source unknown", from: "1001999999", ...account },
  { why: "source of another partner", from: foreign, ...account },
  { why: "an account of our own", from: "funding:IDR", ...account },
  { why: "blocked", from: blocked, ...inactive },
  { why: "closed", from: closed, ...inactive },
  { why: "dormant", from: dormantOne, ...dormant },
  { why: "bank unknown", items: { 17: to("998") }, ...bank(17, "Unknown bank") },
  { why: "a bank's BIC elsewhere", items: { 0: to("CENASGSG") }, ...bank(0, "Unknown bank") },
  { why: "our own bank", items: { 19: to(bankCode) }, ...bank(19, "Own bank") },
  { why: "of two banks the first", items: { 19: to("998"), 4: to(bankCode) }, ...bank(4, "Own bank") },
  { why: "dollars from rupiah", items: { 17: amount("1.00", "USD") }, ...currency(17) },
  { why: "rupiah from dollars", from: dollars, ...currency(0) },
  { why: "half a yen", items: { 17: amount("1.5", "JPY") }, ...currency(17, "value") },
  { why: "zero", items: { 17: amount("0") }, ...invalid(17, "Zero amount") },
  { why: "less than the rail carries", items: { 19: amount("0.99") }, ...invalid(19, "Below minimum") },
  { why: "more than the rail carries", items: { 17: amount("250000000.01") }, ...limit(17, "Rail limit") },
  {
    why: "the largest amounts",
    items: { 16: amount("9999999999999999.99"), 17: amount("9999999999999999.99") },
    ...limit(16, "Rail limit"),
  },
  {
    why: "BEN of the fee",
    bulk: { feeType: "BEN" },
    items: { 17: amount("2500.00") },
    ...invalid(17, "Fee exceeds amount"),
  },
  {
    why: "SHA of the beneficiary's part",
    bulk: { feeType: "SHA" },
    items: { 17: amount("1500") },
    ...invalid(17, "Fee exceeds amount"),
  },
  { why: "over the payer's limit", from: each, ...limit(0, "Account limit") },
  { why: "more payments than a day may have", from: often, ...tooOften },
  { why: "more than a day may have", from: daily, ...tooMuch },
  { why: "nothing there", from: empty, ...funds },
  { why: "one rupiah short, fees included", from: short, ...funds },
];

function bodyOf({ from = rich, bulk = {}, items = {} }: Omit<Row, "why" | "code" | "message">): Json {
  const body = bulkBody(from, count, { additionalInfo: { k: [1] }, ...bulk });
  return Object.entries(items).reduce((changed, [at, more]) => changeItem(changed, Number(at), more), body);
}

const codeOf = (code: string) => `${code.slice(0, 3)}20${code.slice(3)}`;

/** The sum of the amounts; undefined where they are of several currencies, or too large to be written. */
function totalOf(body: Json): Json | undefined {
  const amounts = itemsOf(body).map((item) => item["amount"] as { readonly value: string; readonly currency: string });
  const sum = amounts.reduce((all, { value }) => all + Number(value), 0);
  return new Set(amounts.map((one) => one.currency)).size > 1 || sum > 1e15 ? undefined : idr(sum.toFixed(2));
}

/** By the bulk's number and by its external id: 06 with the rejection; by an item's number nothing is found. */
async function expectFailed({ code, message }: Answer, body: Json, externalId: string): Promise<void> {
  const { partnerBulkId, sourceAccountNo, transactionDate } = body;
  const total = totalOf(body);
  for (const reference of [{ originalPartnerReferenceNo: partnerBulkId }, { originalExternalId: externalId }]) {
    const found = await inquireBulk(alpha, reference);
    expectCode(found, "2003600");
    assert.deepEqual(fieldsOf(found), {
      beneficiaryAccountNo: "",
      referenceNumber: "",
      sourceAccountNo,
      latestTransactionStatus: "06",
      originalPartnerReferenceNo: partnerBulkId,
      ...reference,
      serviceCode: "20",
      transactionDate,
      ...(total && { amount: total }),
      previousResponseCode: code,
      transactionStatusDesc: `${code} ${message}`.slice(0, 50),
      additionalInfo: { ...(total && { fee: "0.00" }), rejection: { responseCode: code, responseMessage: message } },
    });
  }
  const byItem = await inquireBulk(alpha, { originalPartnerReferenceNo: numberOf(itemsOf(body)[17]) });
  expectCode(byItem, "4043601");
  assert.equal(byItem.body["latestTransactionStatus"], "07");
}

/** Looks at all that a rejection could have taken or left; earlier bulks move money between the rail's accounts. */
async function look(from: string) {
  const { payer } = await moneyAt(control, "interbank", from);
  return [payer, await countBulkRows(sandbox.file)];
}

for (const { why, code, message, ...change } of rows) {
  test(`${why}: ${code}, status 06, nothing moved; a copy gets it again, a newer send of the same id and numbers is accepted`, async () => {
    const { from = rich } = change;
    const before = await look(from);
    const body = bodyOf(change);
    const externalId = newNumber();
    const call = await alpha.sign(bulkPath, body, { externalId });
    const answer = await alpha.send(call);
    expectCode(answer, codeOf(code));
    assert.equal(answer.message, message);
    const { partnerBulkId, additionalInfo } = body;
    assert.deepEqual(fieldsOf(answer), { partnerBulkId, additionalInfo });
    assert.equal((await alpha.send(call)).text, answer.text);
    await expectFailed(answer, body, externalId);
    assert.deepEqual(await look(from), before);

    const repaired = itemsOf(bodyOf({})).map((item, at) => ({
      ...item,
      partnerReferenceNo: itemsOf(body)[at]?.["partnerReferenceNo"],
    }));
    const accepted = await alpha.call(bulkPath, bulkBody(rich, repaired, { partnerBulkId }), { externalId });
    expectCode(accepted, "2002000");
    // Status of the attempt that was accepted.
    const found = await inquireBulk(alpha, { originalPartnerReferenceNo: partnerBulkId });
    assert.equal(found.body["originalReferenceNo"], accepted.body["bulkId"]);
  });
}

test("the first reason of step 14 is answered, whichever item has it", async () => {
  const from = await limitedTo({ each: "100000.00", daily: "300000.00", dailyCount: 5 });
  await control.change(from, { status: "dormant" });
  // Faults of later checks stand in an earlier item.
  const faults = {
    19: to("998"),
    18: amount("1.00", "USD"),
    17: amount("0.00"),
    16: amount("2000.00"),
    15: amount("200000.00"),
  };
  let body = bodyOf({ from: foreign, bulk: { feeType: "BEN" }, items: faults });
  const expectNext = async (
    { code, message }: typeof account,
    repair: Json | (() => Promise<unknown>),
    at?: number,
  ) => {
    const answer = await alpha.call(bulkPath, body);
    assert.deepEqual([answer.code, answer.message], [codeOf(code), message]);
    if (typeof repair === "function") await repair();
    else body = at === undefined ? { ...body, ...repair } : changeItem(body, at, repair);
  };
  await expectNext(account, { sourceAccountNo: from });
  await expectNext(bank(19, "Unknown bank"), to("014"), 19);
  await expectNext(currency(18), amount("10000.00"), 18);
  await expectNext(dormant, () => control.change(from, { status: "active" }));
  await expectNext(invalid(17, "Zero amount"), amount("10000.00"), 17);
  await expectNext(invalid(16, "Fee exceeds amount"), amount("10000.00"), 16);
  await expectNext(limit(15, "Account limit"), amount("90000.00"), 15);
  await expectNext(tooOften, () => control.change(from, { limits: { daily: "279999.99" } }));
  await expectNext(tooMuch, { sourceAccountNo: empty });
  await expectNext(funds, { sourceAccountNo: from });
});

test("as much as limits and funds allow is accepted, to the last sen; each item counts for the day", async () => {
  for (const [feeType, balance] of [
    ["OUR", "250000.00"],
    ["SHA", "220000.00"],
    ["BEN", "200000.00"],
  ] as const) {
    const from = await newPayer(balance, { limits: { each: "10000.00", daily: "200000.00", dailyCount: count } });
    const accepted = await alpha.call(bulkPath, bulkBody(from, count, { feeType }));
    expectCode(accepted, "2002000");
    assert.equal((await control.account(from)).availableBalance, "0.00");
    const more = await alpha.call(bulkPath, bulkBody(from, 1));
    assert.deepEqual([more.code, more.message], ["4032004", tooOften.message]);
    const ended = await untilBulkEnds(alpha, accepted);
    assert.equal(ended.body["transactionStatusDesc"], "Settled 20 of 20");
  }
});

test("another partner's account is answered exactly as one that does not exist (D19)", async () => {
  const answerTo = async (from: string) => (await alpha.call(bulkPath, bulkBody(from, 1, { partnerBulkId: "" }))).text;
  assert.equal(await answerTo(foreign), await answerTo("1002999999"));
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
