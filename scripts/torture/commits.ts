/**
 * `npm run torture -- commits`: connections cut around 1,000 commits, then 50 times a node, PostgreSQL or both killed,
 * all under load; afterwards every response is held against the database. `npm run torture -- commits --cuts=200
 * --rounds=10 --seed=7`.
 */
import { parseArgs } from "node:util";
import { useDatabase, useOwnCluster } from "../../test/support/database/database.ts";
import { cutCommits } from "../../test/torture/cut-rounds.ts";
import { killRounds } from "../../test/torture/kill-rounds.ts";
import { newSeed, readCount, report } from "./command-line.ts";

const { values } = parseArgs({
  options: {
    cuts: { type: "string", default: "1000" },
    rounds: { type: "string", default: "50" },
    seed: { type: "string", default: newSeed() },
  },
});

const cuts = readCount("cuts", values.cuts);
const rounds = readCount("rounds", values.rounds);
const seed = readCount("seed", values.seed);
console.log(`Torture with seed ${seed}: ${cuts} cuts around commits, ${rounds} rounds of kills`);
const onProgress = (text: string) => console.log(`  ${text}`);

const inOrder = "nothing lost, nothing doubled, no wrong answer";

if (cuts > 0) {
  await using database = await useDatabase();
  report("cuts", await cutCommits({ url: database.url, cuts, seed, silenceMs: 1_000, onProgress }), inOrder);
}
if (rounds > 0) {
  await using cluster = await useOwnCluster();
  report("kills", await killRounds({ cluster, rounds, seed, onProgress }), inOrder);
}
