/**
 * `npm run torture -- http`: 50 times a node, PostgreSQL or both killed outright under load, as partners see it over
 * HTTP; afterwards every response is held against status inquiries, balances and the audit. `npm run torture -- http
 * --rounds=10 --seed=7`.
 */
import { parseArgs } from "node:util";
import { killOverHttp } from "../../test/e2e/kill-rounds.ts";
import { randomNumbers } from "../../test/torture/random-numbers.ts";
import { newSeed, readCount, report } from "./command-line.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "50" },
    seed: { type: "string", default: newSeed() },
  },
});

console.log(`seed ${values.seed}`);
const result = await killOverHttp({
  rounds: readCount("rounds", values.rounds),
  random: randomNumbers(readCount("seed", values.seed)),
  onProgress: console.log,
});
report("kills over HTTP", result, "nothing lost, nothing doubled");
