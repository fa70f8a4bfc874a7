import assert from "node:assert/strict";
import { test } from "node:test";
import { array, integer, object, optional, orNull, record, string } from "@titian/contract";
import { amount, time } from "@titian/server/admin";
import { writeAnswer } from "./write-answer.ts";

const entry = object({ amount: amount(), at: optional(time()) });
const account = object({ accountNo: string(), balance: amount(), entries: array(entry), next: orNull(string()) });

test("an answer has the members that its schema names, amounts in the currency around them, and times as texts", () => {
  const found = {
    accountNo: "1",
    currency: "JPY",
    balance: -700n,
    entries: [{ amount: 1n, at: Date.UTC(2026, 10, 21), secret: "s" }, { amount: 2n }, { amount: 3n, currency: "IDR" }],
    next: undefined,
  };
  assert.deepEqual(JSON.parse(JSON.stringify(writeAnswer(account, found))), {
    accountNo: "1",
    balance: "-700",
    entries: [{ amount: "1", at: "2026-11-21T07:00:00+07:00" }, { amount: "2" }, { amount: "0.03" }],
    next: null,
  });
});

test("what has no schema of its own is answered as it is, and a record by the schema of its members", () => {
  const body = { a: null, b: [1, { c: "d" }] };
  assert.deepEqual(writeAnswer(record({}), body), body);
  const counts = record(object({ calls: integer() }));
  assert.deepEqual(writeAnswer(counts, { one: { calls: 1, more: 2 } }), { one: { calls: 1 } });
});

test("an amount without a currency is a fault of ours", () => {
  assert.throws(() => writeAnswer(entry, { amount: 1n }), /without a currency/);
});
