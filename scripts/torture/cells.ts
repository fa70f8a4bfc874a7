/**
 * `npm run torture -- cells`: 100,000 payments from one cluster to another by two nodes that both ship them, while either
 * PostgreSQL or node is killed 20 times; afterwards every payment is looked for in both, and both are audited.
 * `npm run torture -- cells --transfers=20000 --kills=8 --seed=7`.
 */
import { parseArgs } from "node:util";
import { useOwnCluster } from "../../test/support/database/database.ts";
import { cellRounds } from "../../test/torture/cells/cell-rounds.ts";
import { newSeed, readCount, report } from "./command-line.ts";

const { values } = parseArgs({
  options: {
    transfers: { type: "string", default: "100000" },
    kills: { type: "string", default: "20" },
    seed: { type: "string", default: newSeed() },
  },
});

const transfers = readCount("transfers", values.transfers);
const kills = readCount("kills", values.kills);
const seed = readCount("seed", values.seed);
console.log(`Torture with seed ${seed}: ${transfers} payments between two cells, ${kills} kills`);
await using payer = await useOwnCluster();
await using payee = await useOwnCluster();
const onProgress = (text: string) => console.log(`  ${text}`);
report(
  "cells",
  await cellRounds({ payer, payee, transfers, kills, seed, onProgress }),
  "nothing lost, doubled or wrong",
);
