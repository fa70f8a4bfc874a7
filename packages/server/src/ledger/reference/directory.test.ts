// The cell of an account number: by ranges of numbers of one length, else home.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createDirectory, homeAlone } from "./directory.ts";

const directory = createDirectory(
  [
    { cell: 2, from: "5000", to: "5999" },
    { cell: 1, from: "7000", to: "7499" },
    { cell: 2, from: "60", to: "69" },
  ],
  1_000,
);

const cases: readonly (readonly [string, number])[] = [
  ["5000", 2],
  ["5999", 2],
  ["4999", 0],
  ["6000", 0],
  ["65", 2],
  ["50", 0],
  ["50000", 0],
  ["7499", 1],
  ["7500", 0],
  ["", 0],
];

for (const [accountNo, cell] of cases) {
  test(`"${accountNo}" belongs to cell ${cell}`, () => assert.equal(directory.cellOf(accountNo), cell));
}

test("cells are told in the order of their numbers, home with them", () => {
  assert.deepEqual([directory.cells, directory.since], [[0, 1, 2], 1_000]);
});

test("without ranges there is home alone", () => {
  assert.equal(createDirectory([], undefined), homeAlone);
  assert.equal(homeAlone.cellOf("5000"), 0);
});
