// The short form of `npm run torture -- silent-home`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { useDatabase } from "../../support/database/database.ts";
import { silentHomeRounds } from "./silent-home-rounds.ts";

const seed = Number(process.env["TITIAN_TEST_SEED"] ?? Date.now() % 1_000_000);
console.log(`seed ${seed}`);

test("home away under load: its other cell goes on, tokens are issued, and nothing of others is lost or taken", async () => {
  await using home = await useDatabase();
  await using cell = await useDatabase();
  const { faults, summary } = await silentHomeRounds({ home, cell, callers: 4, seconds: 1, seed });
  console.log(summary);
  assert.deepEqual(faults, []);
});
