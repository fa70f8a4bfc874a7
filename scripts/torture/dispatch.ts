/**
 * `npm run torture -- dispatch`: transfers over rails, with their node killed at every moment there is; then 50 rounds
 * of two nodes that compete under load while they, PostgreSQL and the ways to the rails are killed, stopped and cut.
 * Afterwards what payers have, what rails carried, notifications and what callers were answered is held against each
 * other. `npm run torture -- dispatch --rounds=200 --transfers=300 --matrix=none --seed=7`; `--matrix=twice` also
 * kills the next node too, at every moment (an hour).
 */
import { parseArgs } from "node:util";
import { dispatchRounds } from "../../test/dispatch/rounds.ts";
import { createDispatchFixture } from "../../test/dispatch/dispatch-fixture.ts";
import { killEverywhere } from "../../test/dispatch/whole-matrix.ts";
import { useOwnCluster } from "../../test/support/database/database.ts";
import { fail, newSeed, readCount, report } from "./command-line.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "50" },
    transfers: { type: "string", default: "200" },
    matrix: { type: "string", default: "once" },
    seed: { type: "string", default: newSeed() },
  },
});

const rounds = readCount("rounds", values.rounds);
const transfers = readCount("transfers", values.transfers);
const seed = readCount("seed", values.seed);
const { matrix } = values;
if (!["none", "once", "twice"].includes(matrix)) fail(`--matrix is ${matrix}: give none, once or twice`);
console.log(`seed ${seed}`);
const onProgress = (text: string) => console.log(`  ${text}`);

const inOrder = "nothing lost, nothing doubled, nothing stuck";

if (matrix !== "none") {
  console.log("Each kind of transfer, its node killed at each moment");
  report("matrix", await killEverywhere({ twice: matrix === "twice", atOnce: 2, onProgress }), inOrder);
}
if (rounds > 0) {
  console.log(`${rounds} rounds of ${transfers} transfers, over two nodes`);
  await using cluster = await useOwnCluster();
  await using fixture = await createDispatchFixture(cluster);
  const crash = () => cluster.crash();
  report("rounds", await dispatchRounds({ fixture, rounds, transfers, seed, crash, onProgress }), inOrder);
}
