/**
 * Faults of a bulk (20) itself (spec D2, D5, D13), by plain HTTP: the exact field of the exact item; nothing is taken.
 */
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, test } from "node:test";
import { type Field, operations } from "@titian/contract";
import { request } from "undici";
import { expectField, fieldsOf } from "../../support/black-box/answers.ts";
import { bulkBody, bulkItem, bulkPath, changeItem, countBulkRows, itemsOf } from "../../support/black-box/bulks.ts";
import { type Json, newNumber } from "../../support/black-box/caller.ts";
import { badMoney, type FaultCode, faultsOf } from "../../support/black-box/field-faults.ts";
import { startSandbox } from "../../support/black-box/start-sandbox.ts";
import { expectCode, idr } from "../../support/black-box/transfers.ts";

const sandbox = await startSandbox();
after(() => sandbox[Symbol.asyncDispose]());
const { control, file } = sandbox;
const alpha = sandbox.caller("alpha");
const [from = ""] = alpha.partner.sourceAccounts;
const externalId = newNumber();
const last = 29;
const valid = bulkBody(from, last + 1, { currency: "IDR", additionalInfo: { k: [1] } });
const { partnerBulkId, additionalInfo } = valid;
const look = async () => [await control.account(from), await countBulkRows(file)];
const untouched = await look();

/** All have one external id and the same numbers: were anything taken, the last test would not be accepted. */
async function expectFault(body: Json, code: FaultCode, field: string): Promise<void> {
  const answer = await alpha.call(bulkPath, body, { externalId });
  expectField(answer, `40020${code}`, field);
  assert.deepEqual(fieldsOf(answer), { partnerBulkId, additionalInfo });
}

async function expectUnreadable(text: string | Buffer, reason: string): Promise<void> {
  const answer = await alpha.call(bulkPath, text, { externalId });
  expectCode(answer, "4002000");
  assert.deepEqual(answer.body, { responseCode: "4002000", responseMessage: `Bad Request [${reason}]` });
}

const bankCodes = ["14", "0145", "ABC", "cenaidja", "CENAIDJ", "CENAIDJAX", "CENA1DJA", " 14"];

for (const position of [0, 17, last]) {
  test(`the item at position ${position}: every field that is missing, too long, of another type or form is named`, async () => {
    const at = `bulkObject[${position}]`;
    const expectItem = (more: Json, code: FaultCode, field: string) =>
      expectFault(changeItem(valid, position, more), code, `${at}.${field}`);
    for (const [name, field] of Object.entries<Field>(operations.interbankBulkTransfer.request.bulkObject.type.entry)) {
      for (const [value, code] of faultsOf(field)) await expectItem({ [name]: value }, code, name);
      if (field.type.kind !== "money") continue;
      for (const [money, code, member] of badMoney(field.presence)) {
        await expectItem({ [name]: money }, code, `${name}.${member}`);
      }
    }
    for (const bankCode of bankCodes) await expectItem({ bankCode }, "01", "bankCode");
    await expectItem({ amount: { value: "1.00", currency: "USD" } }, "01", "amount.currency");
    for (const entry of [null, 7, "text", true, []]) {
      await expectFault({ ...valid, bulkObject: itemsOf(valid).with(position, entry as never) }, "01", at);
    }
    const whole = { originatorCustomerNo: "1", originatorCustomerName: "A", originatorBankCode: "014" };
    for (const [entry, code, member] of [
      [{}, "02", ".originatorCustomerNo"],
      [{ ...whole, originatorCustomerName: " " }, "02", ".originatorCustomerName"],
      [{ ...whole, originatorBankCode: "14" }, "01", ".originatorBankCode"],
      [{ ...whole, originatorCustomerNo: "1".repeat(35) }, "01", ".originatorCustomerNo"],
      [null, "01", ""],
    ] as const) {
      await expectItem({ originatorInfos: [whole, entry] }, code, `originatorInfos[1]${member}`);
    }
    await expectItem({ originatorInfos: Array.from({ length: 101 }, () => whole) }, "01", "originatorInfos");
  });
}

test("missing outranks malformed, a field of the bulk an item's, and of two items the first is named", async () => {
  const blank = { beneficiaryAccountName: "" };
  const malformed = changeItem(valid, 3, { bankCode: "14" });
  await expectFault(changeItem(malformed, last, blank), "02", `bulkObject[${last}].beneficiaryAccountName`);
  await expectFault({ ...malformed, customerReference: " " }, "02", "customerReference");
  await expectFault({ ...malformed, transactionDate: "today" }, "01", "transactionDate");
  await expectFault({ ...malformed, feeType: "our" }, "01", "bulkObject[3].bankCode");
  await expectFault(changeItem(malformed, 2, { bankCode: "x" }), "01", "bulkObject[2].bankCode");
  await expectFault({ ...valid, currency: "USD" }, "01", "bulkObject[0].amount.currency");
  const number = itemsOf(valid)[4]?.["partnerReferenceNo"];
  await expectFault(
    changeItem(changeItem(valid, 9, { partnerReferenceNo: number }), 2, { bankCode: "x" }),
    "01",
    "bulkObject[2].bankCode",
  );
});

test("a number twice in one bulk is named where it stands the second time", async () => {
  const repeated = (first: number, ...others: readonly number[]) => {
    const { partnerReferenceNo } = itemsOf(valid)[first] ?? {};
    return others.reduce((body, position) => changeItem(body, position, { partnerReferenceNo }), valid);
  };
  const expectNamed = (body: Json, position: number) =>
    expectFault(body, "01", `bulkObject[${position}].partnerReferenceNo`);
  await expectNamed(repeated(0, 1), 1);
  await expectNamed(repeated(17, last), last);
  await expectNamed(repeated(3, 20, 5), 5);
  // Another item altogether: the number alone counts.
  await expectNamed(changeItem(repeated(0, 9), 9, { amount: idr("1.00"), beneficiaryAccountNo: "1" }), 9);
});

test("no list, an empty one, one too many; the last of 10,000 items is named", async () => {
  for (const bulkObject of [null, undefined]) await expectFault({ ...valid, bulkObject }, "02", "bulkObject");
  for (const bulkObject of ["", "text", 7, true, {}, []])
    await expectFault({ ...valid, bulkObject }, "01", "bulkObject");
  const many = Array.from({ length: 10_001 }, () => bulkItem());
  await expectFault({ ...valid, bulkObject: many }, "01", "bulkObject");
  const full = { ...valid, bulkObject: many.slice(1) };
  await expectFault(changeItem(full, 9_999, { bankCode: "14" }), "01", "bulkObject[9999].bankCode");
  await expectFault(changeItem(full, 9_999, { amount: undefined }), "02", "bulkObject[9999].amount");
  await expectFault(
    changeItem(full, 9_999, { amount: { value: "1", currency: "USD" } }),
    "01",
    "bulkObject[9999].amount.currency",
  );
  const { partnerReferenceNo } = many[1] ?? {};
  await expectFault(changeItem(full, 9_999, { partnerReferenceNo }), "01", "bulkObject[9999].partnerReferenceNo");
});

test("what two readers would read differently, is too deep, or too long, is 4002000, in whichever item it is", async () => {
  const text = JSON.stringify(changeItem(valid, 17, { beneficiaryAccountName: "HERE", additionalInfo: 1 }));
  const inItem = (members: string) => text.replace('"additionalInfo":1', members);
  const nested = (depth: number) => `"additionalInfo":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  for (const [reason, ...bodies] of [
    ["Duplicate key", inItem('"additionalInfo":1,"bankCode":"014"'), inItem('"additionalInfo":{"a":1,"a":1}')],
    ["Forbidden key", inItem('"__proto__":{}'), inItem('"additionalInfo":[{"__proto__":1}]')],
    ["Lone surrogate", text.replace("HERE", "\\ud800")],
    ["Not UTF-8", Buffer.from(text.replace("HERE", "caf\u00e9"), "latin1")],
    ["Too deep", inItem(nested(14))],
    ["Free-form member too large", inItem(`"additionalInfo":"${"x".repeat(65_535)}"`)],
    ["Not JSON", text.slice(0, -1), `${text}]`, inItem('"additionalInfo":')],
  ] as const) {
    for (const body of bodies) await expectUnreadable(body, reason);
  }
});

const most = 8_388_608;
function sized(bytes: number, body = valid): Buffer {
  const text = Buffer.from(JSON.stringify(body));
  return Buffer.concat([text, Buffer.alloc(bytes - text.length, " ")]);
}

test("a body of 8 MiB and one byte is rejected, whether its length is announced or not", async () => {
  const body = sized(most + 1);
  await expectUnreadable(body, "Body too large");
  const { path, headers } = await alpha.sign(bulkPath, body, { externalId });
  const pieces = Array.from({ length: 9 }, (_, index) => body.subarray(index << 20, (index + 1) << 20));
  const options = { dispatcher: sandbox.agent, method: "POST", headers, body: Readable.from(pieces) } as const;
  const unannounced = await request(`${file.baseUrl}${path}`, options);
  assert.equal(((await unannounced.body.json()) as Json)["responseCode"], "4002000");
});

// Last: nothing before it has taken anything.
test("nothing was taken: the same id and numbers serve a bulk of 8 MiB, in which what looks odd is right", async () => {
  assert.deepEqual(await look(), untouched);
  const odd = [[], "", 7, false, { deep: [[[[[[[[[[1]]]]]]]]]] }, "x".repeat(65_534)];
  const blank = { additionalInfo: null, originatorInfos: null, unheardOf: { a: 1 } };
  const wide = {
    beneficiaryAccountNo: "ID-0014/88.01 ABC".padEnd(34, "z"),
    beneficiaryAccountName: "🏦".repeat(100),
    bankCode: "CENAIDJA001",
  };
  const changes = [
    ...odd.map((info) => ({ additionalInfo: info })),
    blank,
    wide,
    { originatorInfos: [], amount: idr("007") },
  ];
  const body = changes.reduce<Json>((bulk, more, position) => changeItem(bulk, position, more), valid);
  const answer = await alpha.call(bulkPath, sized(most, { ...body, remark: "", feeType: null }), { externalId });
  expectCode(answer, "2002000");
  assert.deepEqual(Object.keys(fieldsOf(answer)).sort(), ["additionalInfo", "bulkId", "partnerBulkId"]);
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
