// The file of cells: every fault with its line, and what it reads.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../config.ts";
import { readCells } from "./cells.ts";

function read(
  text: string,
  settings: Parameters<typeof readCells>[0] = { TITIAN_CELLS: "/etc/cells" },
  isCommand = false,
) {
  const faults: string[] = [];
  const cells = readCells(settings, { isCommand, readText: () => text }, faults);
  return { cells, faults };
}

const sound = `# our cells
2 postgres://b/titian 6000-6999 # the second
1 postgres://a/titian 5000-5499 50-59

`;

test("lines, comments and several ranges are read, in the order of numbers", () => {
  const { cells, faults } = read(sound);
  assert.deepEqual(faults, []);
  assert.deepEqual(cells, [
    {
      number: 1,
      url: "postgres://a/titian",
      ranges: [
        { from: "5000", to: "5499" },
        { from: "50", to: "59" },
      ],
      place: "/etc/cells, line 3",
    },
    { number: 2, url: "postgres://b/titian", ranges: [{ from: "6000", to: "6999" }], place: "/etc/cells, line 2" },
  ]);
});

test("without the setting there are none, and commands read administration's file first", () => {
  assert.deepEqual(read("x", {}), { cells: [], faults: [] });
  const both = { TITIAN_CELLS: "service", TITIAN_ADMIN_CELLS: "administration" };
  assert.match(read("x", both).faults.join(), /^TITIAN_CELLS: service, line 1/);
  assert.match(read("x", both, true).faults.join(), /^TITIAN_ADMIN_CELLS: administration, line 1/);
});

const a = "1 postgres://a/t 50-59";
const faulty: readonly (readonly [string, string, RegExp])[] = [
  ["home's number", "0 postgres://a/t 50-59", /line 1: "0" is no number of a cell/],
  ["a number that is too large", "256 postgres://a/t 50-59", /line 1: "256" is no number/],
  ["no address", "1 mysql://a/t 50-59", /line 1: the second word is to be the cell's address/],
  ["no range", "1 postgres://a/t", /line 1: a cell has at least one range/],
  ["a range that goes down", "1 postgres://a/t 59-50", /line 1: "59-50" is no range/],
  ["numbers of different lengths", "1 postgres://a/t 5-59", /line 1: "5-59" is no range/],
  ["a number twice", `${a}\n1 postgres://b/t 60-69`, /line 2: there is another line for cell 1/],
  ["an address twice", `${a}\n2 postgres://a/t 60-69`, /line 2: another cell has the same address/],
  ["ranges that overlap", `${a}\n2 postgres://b/t 59-61`, /line 2: 59-61 overlaps another range/],
  ["ranges of one cell that overlap", "1 postgres://a/t 50-59 55-55", /line 1: 55-55 overlaps another range/],
  ["an empty file", "# nothing\n", /\/etc\/cells names no cell/],
  [
    "too many",
    Array.from({ length: 8 }, (_, index) => `${index + 1} postgres://${index}/t ${index}0-${index}9`).join("\n"),
    /has 8 cells: a node serves at most 7/,
  ],
];

for (const [name, text, expected] of faulty) {
  test(`${name} is rejected with its line`, () => assert.match(read(text).faults.join("\n"), expected));
}

test("all faults are told at once, and no password", () => {
  const { faults } = read("0 postgres://titian:hunter2@a/t 50-59\n1 postgres://titian:hunter2@a/t 9-1");
  const misplaced = "postgres://titian:hunter2@a/t 50-59\n1 postgres://a/t postgres://titian:hunter2@b/t";
  faults.push(...read(misplaced).faults);
  assert.equal(faults.length, 4);
  assert.doesNotMatch(faults.join(), /hunter2/);
});

test("a file that cannot be read is named", () => {
  const faults: string[] = [];
  const readText = () => {
    throw new Error("ENOENT");
  };
  readCells({ TITIAN_CELLS: "/none" }, { isCommand: false, readText }, faults);
  assert.deepEqual(faults, ["TITIAN_CELLS: /none cannot be read: ENOENT"]);
});

const faultsOf = (env: Readonly<Record<string, string>>) => {
  try {
    readConfig(env, { readText: () => a });
    return "";
  } catch (error) {
    return String(error);
  }
};

test("cells need home's database", () => {
  assert.match(faultsOf({ TITIAN_CELLS: "cells" }), /TITIAN_CELLS needs DATABASE_URL/);
});
