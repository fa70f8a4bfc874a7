// The short form of `npm run torture -- cells`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { useOwnCluster } from "../../support/database/database.ts";
import { cellRounds } from "./cell-rounds.ts";

const seed = Number(process.env["TITIAN_TEST_SEED"] ?? Date.now() % 1_000_000);
console.log(`seed ${seed}`);

test("payments between two clusters, both and two nodes killed under load: each arrives once", async () => {
  await using payer = await useOwnCluster();
  await using payee = await useOwnCluster();
  // Beside the rest of the suite a machine stands still for seconds.
  const options = { transfers: 1_500, kills: 4, seed, agreeMs: 30_000 };
  const { faults, summary } = await cellRounds({ payer, payee, ...options });
  console.log(summary);
  assert.deepEqual(faults, []);
});
