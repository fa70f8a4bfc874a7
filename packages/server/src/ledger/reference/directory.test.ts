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

test("an account that was moved is in its cell, whatever its number, and one that is moving is told", () => {
  const moving = new Map([["5002", { accountNo: "5002", cell: 2, movingTo: 1, hasMoved: true, number: 7 }]]);
  const cells = new Map([
    ["5001", 0],
    ["5002", 2],
    ["8", 1],
  ]);
  const moved = createDirectory([{ cell: 2, from: "5000", to: "5999" }], 1_000, { cells, moving });
  assert.deepEqual(["5001", "5002", "5003", "8", "9"].map(moved.cellOf), [0, 2, 2, 1, 0]);
  assert.equal(moved.moving, moving);
});

test("cells are told in the order of their numbers, home with them", () => {
  assert.deepEqual([directory.cells, directory.since], [[0, 1, 2], 1_000]);
});

test("without ranges there is home alone", () => {
  assert.equal(createDirectory([], undefined), homeAlone);
  assert.equal(homeAlone.cellOf("5000"), 0);
});
