// One rail of several cells: each sees its own results, however many of others stand before them, and acknowledges no others.
import assert from "node:assert/strict";
import { test } from "node:test";
import { railOfCell } from "./rail-of-cell.ts";
import { createUnconnectedRail, type Rail, type RailResult } from "./rail.ts";

const result = (referenceNo: string): RailResult => ({ referenceNo, state: { kind: "settled" } });

/** A rail with these results; what is acknowledged is gone. */
function railWith(...numbers: readonly string[]) {
  let waiting = numbers.map(result);
  const rail: Rail = {
    ...createUnconnectedRail("interbank"),
    results: async (max) => waiting.slice(0, max),
    acknowledge: async (recorded) => {
      waiting = waiting.filter((one) => !recorded.includes(one));
    },
    waiting: async () => waiting.length,
  };
  const cell = (letter: string, isHome = false) =>
    railOfCell(rail, { isOurs: (referenceNo) => referenceNo.startsWith(letter), isHome });
  return { cell, left: () => waiting.map(({ referenceNo }) => referenceNo) };
}

const numbersOf = (results: readonly RailResult[]) => results.map(({ referenceNo }) => referenceNo);

test("a cell sees the results of its own numbers, in their order, and no more than it asks for", async () => {
  const { cell } = railWith("a1", "b1", "a2", "a3");
  assert.deepEqual(numbersOf(await cell("a").results(2)), ["a1", "a2"]);
  assert.deepEqual(numbersOf(await cell("b").results(2)), ["b1"]);
});

test("results of a cell that is away hide none behind them", async () => {
  const away = Array.from({ length: 50 }, (_, index) => `b${index}`);
  const { cell, left } = railWith(...away, "a1", "a2");
  const found = await cell("a").results(1);
  assert.deepEqual(numbersOf(found), ["a1"]);
  await cell("a").acknowledge(found);
  assert.equal(left().length, 51);
  assert.deepEqual(numbersOf(await cell("a").results(4)), ["a2"]);
});

test("home counts what waits for all, and a cell does not end the rail", async () => {
  const { cell } = railWith("a1", "b1");
  assert.deepEqual([await cell("a", true).waiting(), await cell("b").waiting()], [2, 0]);
  await cell("a").close();
});
