/**
 * `npm run torture:holds`: 10,000 rounds of each race about a hold, over one node and over two processes on one database;
 * after each round its sums, lines and answers are held against each other, and the money on its accounts is counted.
 * `npm run torture:holds -- --rounds=500 --race=expiry --seed=7`.
 */
import { parseArgs } from "node:util";
import { races } from "../packages/server/test/holds/all-races.ts";
import { runRace } from "../packages/server/test/holds/run-race.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "10000" },
    race: { type: "string", multiple: true, default: Object.keys(races) },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});

function fail(text: string): never {
  console.error(text);
  process.exit(2);
}

function readCount(name: "rounds" | "seed"): number {
  const count = Number(values[name]);
  if (Number.isSafeInteger(count) && count >= 0) return count;
  return fail(`--${name} is ${values[name]}: give a whole number from 0 up`);
}

const [rounds, seed] = [readCount("rounds"), readCount("seed")];
const isRace = (name: string): name is keyof typeof races => name in races;
const wanted = values.race.map((name) =>
  isRace(name) ? races[name] : fail(`--race is ${name}: give one of ${Object.keys(races).join(", ")}`),
);

console.log(`seed ${seed}`);
for (const race of wanted) {
  for (const where of ["one node", "two processes"] as const) {
    console.log(`${race.name}, over ${where}`);
    const onProgress = (text: string) => console.log(`  ${text}`);
    const { faults, summary } = await runRace(race, { where, rounds, seed, onProgress });
    console.log(`  ${summary}`);
    for (const fault of faults) console.error(`  FAULT ${fault}`);
    console.log(faults.length === 0 ? "  nothing over, nothing lost" : `  ${faults.length} faults`);
    if (faults.length > 0) process.exitCode = 1;
  }
}
