/**
 * `npm run torture -- attack`: what attackers without credentials can send, each pattern while a partner makes signed
 * calls. Beside it: the partner's times with and without, rejections, memory. `npm run torture -- attack --seconds=10
 * --only=metrics --same-address`.
 */
import { parseArgs } from "node:util";
import { patterns } from "../../test/attack/patterns.ts";
import { type Measured, measure } from "../../test/attack/run-attack.ts";
import { startSandbox } from "../../test/support/black-box/start-sandbox.ts";

const timesMost = 5;
const memoryMostMiB = 1_024;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    only: { type: "string", default: "" },
    "same-address": { type: "boolean", default: false },
  },
});

const address = values["same-address"] ? "127.0.0.1" : "127.0.0.2";
await using sandbox = await startSandbox();
const options = { sandbox, address, forMs: Number(values.seconds) * 1_000 };

function row(name: string, { calls, p50Ms, p99Ms, rejected, memoryMiB }: Measured, times?: number): void {
  const figures = [calls, p50Ms.toFixed(1), p99Ms.toFixed(1), times?.toFixed(1) ?? "", rejected.length, memoryMiB];
  console.log(`${name.padEnd(52)}${figures.map((figure) => String(figure).padStart(9)).join("")}`);
  for (const one of rejected.slice(0, 3)) console.log(`    ${one}`);
}

console.log(
  `${"".padEnd(52)}${["calls", "p50 ms", "p99 ms", "times", "rejected", "MiB"].map((one) => one.padStart(9)).join("")}`,
);
await measure(options);
let quiet = await measure(options);
row("nobody attacks", quiet);
for (const pattern of patterns.filter(({ name }) => name.includes(values.only))) {
  const attacked = await measure(options, pattern);
  const times = attacked.p99Ms / quiet.p99Ms;
  row(pattern.name, attacked, times);
  if (attacked.rejected.length > 0 || times > timesMost || attacked.memoryMiB > memoryMostMiB) process.exitCode = 1;
}
quiet = await measure(options);
row("nobody attacks", quiet);
console.log(
  process.exitCode === 1
    ? `FAULT: a call rejected, a p99 over ${timesMost} times the quiet one, or over ${memoryMostMiB} MiB`
    : "Nobody was rejected, none waited long, memory stayed bounded.",
);
