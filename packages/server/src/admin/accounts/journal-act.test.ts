import assert from "node:assert/strict";
import { test } from "node:test";
import { readJournal } from "./journal-act.ts";

const entries = "1001 -100 IDR, funding:IDR 100 IDR";
const act = {
  id: "act",
  kind: "withdrawal",
  target: "1001",
  reference: "r",
  after: { amount: "100", currency: "IDR", entries },
} as const;

test("the order of an act is read from its entries", () => {
  const { kind, currency, lines, actId } = readJournal(act);
  assert.deepEqual([kind, currency, actId], ["withdrawal", "IDR", "act"]);
  assert.deepEqual(lines, [
    { accountNo: "1001", amount: -100n },
    { accountNo: "funding:IDR", amount: 100n },
  ]);
});

test("an act that says otherwise than its entries is no order", () => {
  const orders = [
    { ...act, target: "1002" },
    { ...act, after: { ...act.after, amount: "99" } },
    { ...act, after: { amount: "100" } },
    { ...act, after: { ...act.after, entries: "1001 -60 IDR, 1001 -40 IDR, funding:IDR 100 IDR" } },
    { ...act, after: { ...act.after, entries: "1001 -100 IDR, clearing:skn:IDR 100 IDR" } },
    { ...act, after: { ...act.after, entries: "1001 -100 IDR, funding:IDR 100 USD" } },
    { ...act, after: { ...act.after, entries: "1001 -100 IDR" } },
  ];
  for (const order of orders) assert.throws(() => readJournal(order), RangeError, JSON.stringify(order));
});
