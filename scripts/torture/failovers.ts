/**
 * `npm run torture -- failovers`: 20 failovers and splits of a primary and its synchronous standby under two nodes, while
 * inquiries (36) are sent 0.1 to 3 s after each blow. `npm run torture -- failovers --rounds=6 --seconds=2`.
 */
import { parseArgs } from "node:util";
import { runFailovers } from "../../test/failover/failovers.ts";
import { readCount, report } from "./command-line.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "20" }, seconds: { type: "string", default: "3" } },
});
const rounds = readCount("rounds", values.rounds);
const askMs = readCount("seconds", values.seconds) * 1_000;
const onProgress = (text: string) => console.log(`  ${text}`);
report("failovers", await runFailovers({ rounds, askMs, onProgress }), "no wrong answer");
