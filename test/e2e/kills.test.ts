// The short form of `npm run torture -- bulks`. That of `-- http` is a part of the demo (scripts/demo.test.ts).
import assert from "node:assert/strict";
import { test } from "node:test";
import { randomNumbers } from "../torture/random-numbers.ts";
import { killBulk } from "./bulk-rounds.ts";

const seed = Number(process.env["TITIAN_TEST_SEED"] ?? Date.now() % 1_000_000);

test("a bulk of 300, a node killed while it accepts it, then one while both send items: each item is carried once", async (t) => {
  const { faults, summary } = await killBulk({ items: 300, kills: 1, random: randomNumbers(seed) });
  t.diagnostic(summary);
  assert.deepEqual(faults, []);
});
