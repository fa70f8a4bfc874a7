// The short form of `npm run torture -- moves`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { useDatabase } from "../../support/database/database.ts";
import { movingRounds } from "./moving-rounds.ts";

const seed = Number(process.env["TITIAN_TEST_SEED"] ?? Date.now() % 1_000_000);
console.log(`seed ${seed}`);

test("accounts move there and back under load, a node killed: each payment once, all money there, no other call disturbed", async () => {
  await using home = await useDatabase();
  await using cell = await useDatabase();
  const { faults, summary } = await movingRounds({ home, cell, accounts: 12, callers: 4, kills: 1, seed });
  console.log(summary);
  assert.deepEqual(faults, []);
});
