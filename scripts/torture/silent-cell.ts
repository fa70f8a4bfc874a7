/**
 * `npm run torture -- silent-cell`: 16 callers of home over HTTP, one call in ten to an account of a further cell on another cluster, which
 * serves for 60 s, is away for 60 s, and serves again. Within home no call may fail; to the cell each is answered with success, or 503 with
 * `Retry-After` and nothing taken; afterwards what was accepted stands in both cells, to the cent. Latencies and their ratio are printed.
 * `npm run torture -- silent-cell --seconds=20 --callers=8 --seed=7`.
 */
import { parseArgs } from "node:util";
import { useOwnCluster } from "../../test/support/database/database.ts";
import { silentRounds } from "../../test/torture/cells/silent-rounds.ts";
import { newSeed, readCount, report } from "./command-line.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    callers: { type: "string", default: "16" },
    seed: { type: "string", default: newSeed() },
  },
});

const seconds = readCount("seconds", values.seconds);
const callers = readCount("callers", values.callers);
const seed = readCount("seed", values.seed);
console.log(`Torture with seed ${seed}: ${callers} callers, a cell away for ${seconds} s`);
await using home = await useOwnCluster();
await using cell = await useOwnCluster();
const onProgress = (text: string) => console.log(`  ${text}`);
report(
  "silent-cell",
  await silentRounds({ home, cell, callers, seconds, seed, onProgress }),
  "home went on, and all that was accepted is there",
);
