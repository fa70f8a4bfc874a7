import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest } from "./nearest.ts";

const names = ["intrabankTransfer", "interbankTransfer", "transfer/status", "authVoid", "authVoidQuery"];

const cases: readonly (readonly [string, string | undefined])[] = [
  ["intrabankTransfr", "intrabankTransfer"],
  ["interbanktransfer", "interbankTransfer"],
  ["authviod", "authVoid"],
  ["intra", "intrabankTransfer"],
  ["tranfer/status", "transfer/status"],
  ["payment", undefined],
  ["", undefined],
];

for (const [text, expected] of cases) {
  test(`nearest to "${text}" is ${expected ?? "nothing"}`, () => assert.equal(nearest(text, names), expected));
}
