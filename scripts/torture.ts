/**
 * `npm run torture`: connections cut around 1,000 commits, then 50 times a node, PostgreSQL or both killed, all under
 * load; afterwards every answer is held against the database. `npm run torture -- --cuts=200 --rounds=10 --seed=7`.
 */
import { parseArgs } from "node:util";
import { useDatabase, useOwnCluster } from "../packages/server/test/support/database.ts";
import { cutCommits } from "../packages/server/test/torture/cut-rounds.ts";
import { killRounds } from "../packages/server/test/torture/kill-rounds.ts";
import type { TortureResult } from "../packages/server/test/torture/result.ts";

const { values } = parseArgs({
  options: {
    cuts: { type: "string", default: "1000" },
    rounds: { type: "string", default: "50" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});

function readCount(name: "cuts" | "rounds" | "seed"): number {
  const count = Number(values[name]);
  if (Number.isSafeInteger(count) && count >= 0) return count;
  console.error(`--${name} is ${values[name]}: give a whole number from 0 up`);
  process.exit(2);
}

const [cuts, rounds, seed] = [readCount("cuts"), readCount("rounds"), readCount("seed")];
console.log(`Torture with seed ${seed}: ${cuts} cuts around commits, ${rounds} rounds of kills`);
const onProgress = (text: string) => console.log(`  ${text}`);

function report(name: string, { faults, summary }: TortureResult): void {
  console.log(`${name}: ${summary}`);
  for (const fault of faults) console.error(`  FAULT ${fault}`);
  console.log(
    faults.length === 0
      ? `${name}: nothing lost, nothing doubled, no wrong answer`
      : `${name}: ${faults.length} faults`,
  );
  if (faults.length > 0) process.exitCode = 1;
}

if (cuts > 0) {
  await using database = await useDatabase();
  report("cuts", await cutCommits({ url: database.url, cuts, seed, silenceMs: 1_000, onProgress }));
}
if (rounds > 0) {
  await using cluster = await useOwnCluster();
  report("kills", await killRounds({ cluster, rounds, seed, onProgress }));
}
