// The short form of `npm run torture -- commits`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { useDatabase, useOwnCluster } from "../support/database/database.ts";
import { cutCommits } from "./cut-rounds.ts";
import { killRounds } from "./kill-rounds.ts";

const seed = Number(process.env["TITIAN_TEST_SEED"] ?? Date.now() % 1_000_000);
console.log(`seed ${seed}`);

test("the connection cut around 60 commits: no doubled effect, no wrong answer", async () => {
  await using database = await useDatabase();
  const { faults, summary } = await cutCommits({ url: database.url, cuts: 60, seed, silenceMs: 150 });
  console.log(summary);
  assert.deepEqual(faults, []);
});

test("nodes and PostgreSQL each and both killed under load: nothing answered is lost, nothing doubled", async () => {
  await using cluster = await useOwnCluster();
  const { faults, summary } = await killRounds({ cluster, rounds: 3, seed });
  console.log(summary);
  assert.deepEqual(faults, []);
});
