/**
 * `npm run torture -- acts`: approved acts of operators, fundings and rejections of queued items, while a node is killed, sessions
 * are ended, and the standby that commits wait for is lost and promoted: each act once. `npm run torture -- acts --rounds=6 --acts=10`.
 */
import { parseArgs } from "node:util";
import { runActFailovers } from "../../test/failover/act-failovers.ts";
import { readCount, report } from "./command-line.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "21" }, acts: { type: "string", default: "25" } },
});
const rounds = readCount("rounds", values.rounds);
const acts = readCount("acts", values.acts);
const onProgress = (text: string) => console.log(`  ${text}`);
report("acts", await runActFailovers({ rounds, acts, onProgress }), "each approved act carried out once");
