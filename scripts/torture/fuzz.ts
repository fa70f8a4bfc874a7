/**
 * `npm run fuzz`: at least 100,000 malformed requests against a real running service, then its books are looked at.
 * `npm run fuzz -- --requests 5000 --seed 7`.
 */
import { parseArgs } from "node:util";
import { runFuzz } from "../../test/fuzz/run-fuzz.ts";
import { startSandbox } from "../../test/support/black-box/start-sandbox.ts";
import { newSeed, readCount } from "./command-line.ts";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "100000" },
    seed: { type: "string", default: newSeed() },
  },
});

console.log(`seed ${values.seed}; starting a sandbox`);
await using sandbox = await startSandbox();
const report = await runFuzz({
  sandbox,
  requests: readCount("requests", values.requests),
  seed: readCount("seed", values.seed),
  onProgress: console.log,
});
const codes = [...report.codes].toSorted(([, a], [, b]) => b - a);
for (const [code, times] of codes) console.log(`${String(times).padStart(8)} × ${code}`);
const { sent, malformed, seconds, memoryMiB, faults } = report;
console.log(
  `${sent} requests, ${malformed} of them malformed, in ${seconds.toFixed(1)} s (${Math.round(sent / seconds)} a second)`,
);
console.log(`memory of the service: ${memoryMiB.before} MiB before, ${memoryMiB.after} MiB after`);
for (const fault of faults) console.error(`FAULT: ${fault}`);
console.log(faults.length === 0 ? "No 5xx, no wrong answer, clean books." : `${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
