/**
 * `npm run torture -- payment-requests`: 1,000 rounds of each race about the answers to a payment request, over two nodes:
 * approvals, an approval and a decline, approvals and expiry, money for one of two. `--rounds=100`.
 */
import { parseArgs } from "node:util";
import { racePaymentRequests } from "../../test/torture/race-rounds.ts";
import { readCount, report } from "./command-line.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "1000" } } });
const result = await racePaymentRequests({ rounds: readCount("rounds", values.rounds), onProgress: console.log });
report("answers to payment requests", result, "one outcome each, no money lost or doubled");
