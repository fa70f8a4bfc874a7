/**
 * `npm run torture -- holds`: 10,000 rounds of each race about a hold, over one node and over two processes on one
 * database; after each round its sums, events, answers and the balances of its accounts are compared. `npm run torture -- holds --rounds=500 --race=expiry --seed=7`.
 */
import { parseArgs } from "node:util";
import { races } from "../../test/holds/races/races.ts";
import { runRace } from "../../test/holds/races/run-race.ts";
import { fail, newSeed, readCount, report } from "./command-line.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "10000" },
    race: { type: "string", multiple: true, default: Object.keys(races) },
    seed: { type: "string", default: newSeed() },
  },
});

const rounds = readCount("rounds", values.rounds);
const seed = readCount("seed", values.seed);
const isRace = (name: string): name is keyof typeof races => name in races;
const selected = values.race.map((name) =>
  isRace(name) ? races[name] : fail(`--race is ${name}: give one of ${Object.keys(races).join(", ")}`),
);

console.log(`seed ${seed}`);
for (const race of selected) {
  for (const deployment of ["one node", "two processes"] as const) {
    console.log(`${race.name}, over ${deployment}`);
    const onProgress = (text: string) => console.log(`  ${text}`);
    const result = await runRace(race, { deployment, rounds, seed, onProgress });
    report(`${race.name}, over ${deployment}`, result, "no money lost or doubled");
  }
}
