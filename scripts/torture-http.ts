/**
 * `npm run torture:http`: 50 times a node, PostgreSQL or both killed outright under load, as partners see it over HTTP;
 * afterwards every answer is held against status inquiries, balances and the audit.
 * `npm run torture:http -- --rounds=10 --seed=7`.
 */
import { parseArgs } from "node:util";
import { killOverHttp } from "../packages/server/test/e2e/kill-rounds.ts";
import { randomNumbers } from "../packages/server/test/torture/random-numbers.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "50" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});

console.log(`seed ${values.seed}`);
const { faults, summary } = await killOverHttp({
  rounds: Number(values.rounds),
  random: randomNumbers(Number(values.seed)),
  onProgress: console.log,
});
console.log(summary);
for (const fault of faults) console.error(`FAULT: ${fault}`);
console.log(faults.length === 0 ? "Nothing was lost, nothing was doubled." : `${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
