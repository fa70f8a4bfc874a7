import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { newId } from "../../basics/ids.ts";
import { hashKeyedWord, hashOpenWord } from "./hash-words.ts";
import { accountText, amountText, nameWords, numberText, partiesOf, type Word, wordsOf } from "./words.ts";

/** Accepted at noon in Jakarta. */
const at = Date.parse("2026-11-25T12:00:00+07:00");
/** Accounts that no other test names. */
const holders = new Map([
  ["3001", "Budi Santoso"],
  ["3002", "Siti"],
]);
const wordsOfPayload = (service: number, payload: unknown) =>
  wordsOf({ id: newId(), service, externalId: "Ext-1", payload: JSON.stringify(payload), at }, holders).map(
    ({ by, kind, text, day = "" }) => [by, kind, text, day].join(" ").trim(),
  );

test("a transfer to another bank is known by its numbers, amounts with their day, accounts and names", () => {
  const request = {
    partnerReferenceNo: "Trx-1 a",
    customerReference: "INV/7",
    amount: { value: "250000.00", currency: "IDR" },
    sourceAccountNo: "1001000001",
    beneficiaryBankCode: "014",
    beneficiaryAccountNo: "888-000 1",
    beneficiaryAccountName: "Sítí  RAHAYU, S.",
  };
  const debited = { value: "252500.50", currency: "IDR" };
  assert.deepEqual(
    wordsOfPayload(18, { request, amount: debited, from: "1001000001", to: "suspense:interbank:IDR:1" }),
    [
      "partnerReferenceNo number TRX-1 A",
      "customerReference number INV/7",
      "externalId number EXT-1",
      "amount amount 252500.5 2026-11-25",
      "amount amount 250000 2026-11-25",
      "payerAccountNo account 1001000001",
      "beneficiaryAccountNo foreign 8880001",
      "beneficiaryName name siti",
      "beneficiaryName name rahayu",
    ],
  );
});

test("a capture is known by the partner's number of it, and by the accounts that money left and reached", () => {
  const request = { partnerCaptureNo: "c-9", originalReferenceNo: "01JD7KCF4G5H6J7K8M9N0P1Q2R" };
  const payload = { request, amount: { value: "5.00", currency: "IDR" }, from: "11110000", to: "22220000" };
  assert.deepEqual(wordsOfPayload(65, payload), [
    "partnerCaptureNo number C-9",
    "externalId number EXT-1",
    "amount amount 5 2026-11-25",
    "accountNo account 11110000",
    "accountNo account 22220000",
  ]);
});

test("an item of a bulk is known by what is its own, the bulk by the rest", () => {
  const amount = { value: "7.00", currency: "IDR" };
  const shared = { customerReference: "PAYROLL", sourceAccountNo: "1001000001" };
  const item = {
    partnerReferenceNo: "PAY-1",
    bankCode: "014",
    beneficiaryAccountNo: "888",
    beneficiaryAccountName: "Budi",
  };
  assert.deepEqual(wordsOfPayload(20, { request: { ...shared, ...item, amount } }), [
    "partnerReferenceNo number PAY-1",
    "amount amount 7 2026-11-25",
    "beneficiaryAccountNo foreign 888",
    "beneficiaryName name budi",
  ]);
  const bulk = {
    request: { ...shared, partnerBulkId: "b-1" },
    itemCount: 1,
    amount,
    from: "1001000001",
    to: "suspense:x",
  };
  assert.deepEqual(wordsOfPayload(20, bulk), [
    "partnerBulkId number B-1",
    "customerReference number PAYROLL",
    "externalId number EXT-1",
    "amount amount 7 2026-11-25",
    "payerAccountNo account 1001000001",
  ]);
});

test("our customers are known by their accounts' names, at another bank nobody is", () => {
  const request = { partnerReferenceNo: "EXT-1", sourceAccountNo: "3001", beneficiaryAccountNo: "3002" };
  const names = ["payerName name budi", "payerName name santoso"];
  const both = [...names, "beneficiaryName name siti"];
  const namesOf = (service: number, payload: object) =>
    wordsOfPayload(service, payload).filter((word) => word.includes(" name "));
  assert.deepEqual(namesOf(17, { request }), both);
  assert.deepEqual(namesOf(18, { request: { ...request, beneficiaryBankCode: "014" } }), names);
  assert.deepEqual(namesOf(63, { request: {}, payer: "3001" }), names);
  // An item is found by its beneficiary, its bulk by the payer.
  assert.deepEqual(namesOf(20, { request: { ...request, bankCode: "014" } }), []);
  assert.deepEqual(partiesOf({ service: 17, payload: JSON.stringify({ request }) }), ["3001", "3002"]);
});

test("a row of any content has words or none, and each once", () => {
  for (const payload of ["", "null", "[]", '{"request":7}', "{", '{"request":{"amount":"x","sourceAccountNo":1}}'])
    assert.deepEqual(
      wordsOf({ id: newId(), service: 18, externalId: "E", payload, at }, holders).map(({ text }) => text),
      ["E"],
    );
  assert.deepEqual(wordsOfPayload(17, { request: { partnerReferenceNo: "EXT-1" } }), [
    "partnerReferenceNo number EXT-1",
  ]);
});

test("what people write is one text", () => {
  assert.equal(numberText("  trx　 1"), "TRX 1");
  assert.equal(accountText("888-0001.22 / 3"), "8880001223");
  assert.deepEqual(nameWords("Ratna  ratna O'Neil, H. 2"), ["ratna", "neil"]);
  assert.deepEqual(["0250000.00", "0.50", "7", "1e3", "-1", "1.234", ""].map(amountText), [
    "250000",
    "0.5",
    "7",
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("a word's hash is of its kind, text and day, and a name's of its key", () => {
  const words: readonly Word[] = [
    { kind: "number", text: "7777" },
    { kind: "account", text: "7777" },
    { kind: "amount", text: "7777", day: "2026-11-25" },
    { kind: "amount", text: "7777", day: "2026-11-24" },
  ];
  assert.equal(new Set(words.map(hashOpenWord)).size, words.length);
  const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const name: Word = { kind: "name", text: "siti" };
  const hmac = createHmac("sha256", one).update("name\u001fsiti").digest().readBigInt64BE();
  assert.equal(hashKeyedWord(name, one), hmac.toString());
  const keyed = [
    hashKeyedWord(name, one),
    hashKeyedWord(name, other),
    hashKeyedWord({ ...name, kind: "foreign" }, one),
  ];
  assert.equal(new Set(keyed).size, keyed.length);
  // Numbers that are counted up are neighbours: half of the hash is that of all but the last three characters.
  const half = (text: string) => BigInt(hashOpenWord({ kind: "number", text })) >> 32n;
  assert.equal(half("TRX-0001"), half("TRX-0999"));
  assert.notEqual(half("TRX-0001"), half("TRX-1001"));
});
