/**
 * `npm run torture -- notifications`: 50,000 notifications to 20 partners from two nodes, beside 3 endpoints that are dead,
 * 3 that are slow and 2 that flap; the delay of the other 12 (from the event to the accepted notification) is compared with
 * that of the same events without the 8, window by window. Then a fifth as many while a node is killed five times, and some
 * that are given up and replayed. Afterwards each was accepted with its one body, and no return before its result.
 * Rounds in which other processes took more than a quarter of the machine are left out. `npm run torture -- notifications
 * --count=10000 --rounds=2 --kills=2 --rate=300 --others-most=100 --seed=7`; about 8 minutes.
 */
import { parseArgs } from "node:util";
import { runNotifications } from "../../test/torture/notifications/run-notifications.ts";
import { newSeed, readCount, report } from "./command-line.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "50000" },
    rounds: { type: "string", default: "10" },
    kills: { type: "string", default: "5" },
    rate: { type: "string", default: "400" },
    "others-most": { type: "string", default: "25" },
    seed: { type: "string", default: newSeed() },
  },
});

/** Largest ratio of the 99th percentile beside the sick endpoints to that without them, in the median round. */
const ratioMax = 1.2;

const count = readCount("count", values.count);
const rounds = readCount("rounds", values.rounds);
console.log(`seed ${values.seed}`);
const {
  faults,
  summary,
  ratio = 0,
} = await runNotifications({
  rounds,
  perRound: rounds === 0 ? 0 : Math.ceil(count / rounds),
  whileKilled: Math.ceil(count / 5),
  kills: readCount("kills", values.kills),
  givenUp: 20,
  rate: readCount("rate", values.rate),
  seed: readCount("seed", values.seed),
  othersMost: readCount("others-most", values["others-most"]) / 100,
  onProgress: (text) => console.log(`  ${text}`),
});
const late = ratio > ratioMax ? [`the healthy endpoints' p99 is ${ratio.toFixed(2)} times that without the sick`] : [];
report(
  "notifications",
  { faults: [...faults, ...late], summary },
  "none lost, none changed, none out of order, none late",
);
