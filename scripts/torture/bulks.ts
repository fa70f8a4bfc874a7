/**
 * `npm run torture -- bulks`: a bulk of 10,000 items over HTTP on two nodes, one killed while it accepts it, then three times
 * one of them while both send its items; afterwards items, rail, sums, notification and audit are held against each other.
 * `npm run torture -- bulks --items=10000 --kills=3 --seed=7`.
 */
import { parseArgs } from "node:util";
import { killBulk } from "../../test/e2e/bulk-rounds.ts";
import { randomNumbers } from "../../test/torture/random-numbers.ts";
import { newSeed, readCount, report } from "./command-line.ts";

const { values } = parseArgs({
  options: {
    items: { type: "string", default: "10000" },
    kills: { type: "string", default: "3" },
    seed: { type: "string", default: newSeed() },
  },
});

console.log(`seed ${values.seed}`);
const result = await killBulk({
  items: readCount("items", values.items),
  kills: readCount("kills", values.kills),
  random: randomNumbers(readCount("seed", values.seed)),
  onProgress: console.log,
});
report("bulk", result, "each item carried once, no money lost or doubled");
