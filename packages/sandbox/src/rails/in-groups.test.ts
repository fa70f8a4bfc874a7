import assert from "node:assert/strict";
import { test } from "node:test";
import { inGroups } from "./in-groups.ts";

const never = () => false;

test("calls made while a group is under way make the next one, and each gets its own value", async () => {
  const groups: (readonly number[])[] = [];
  const double = inGroups<number, number>(
    3,
    async (items) => {
      groups.push(items);
      await new Promise((resolve) => setImmediate(resolve));
      return items.map((item) => item * 2);
    },
    never,
  );
  assert.deepEqual(await Promise.all([1, 2, 3, 4, 5].map(double)), [2, 4, 6, 8, 10]);
  assert.deepEqual(groups, [[1], [2, 3, 4], [5]]);
  assert.equal(await double(6), 12);
});

test("an item that fails spoils no other of its group", async () => {
  const root = inGroups<number, number>(
    8,
    async (items) => {
      if (items.some((item) => item < 0)) throw new Error("below zero");
      return items.map(Math.sqrt);
    },
    never,
  );
  const results = await Promise.allSettled([0, 4, -1, 9].map(root));
  assert.deepEqual(
    results.map((result) => (result.status === "fulfilled" ? result.value : String(result.reason))),
    [0, 2, "Error: below zero", 3],
  );
});

test("an error that each item would meet fails the group as a whole", async () => {
  let runs = 0;
  const work = inGroups<number, number>(
    8,
    async () => {
      runs += 1;
      throw new Error("away");
    },
    (error) => String(error).endsWith("away"),
  );
  const results = await Promise.allSettled([1, 2, 3].map(work));
  assert.ok(results.every(({ status }) => status === "rejected"));
  assert.equal(runs, 2);
});
