/**
 * `npm run torture -- attack`: what attackers without credentials can send, each pattern while a partner makes signed
 * calls. Beside it: the partner's times with and without, rejections, memory. An attacker takes a core of this machine, so
 * times are compared with those beside a process that takes one and attacks nobody. Then the memory that rejected bodies take
 * (`--only=memory`), and whether callers read a response that comes while they send (`--only=callers`).
 * `npm run torture -- attack --seconds=10 --only=metrics --same-address`.
 */
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { type Pattern, patterns } from "../../test/attack/patterns.ts";
import { requirePrograms } from "../../test/shells/programs.ts";
import { measureRejectedBodies } from "../../test/attack/rejected-bodies.ts";
import { callWhileRejected } from "../../test/attack/rejected-callers.ts";
import { type Measured, measure } from "../../test/attack/run-attack.ts";
import { startSandbox } from "../../test/support/black-box/start-sandbox.ts";

const timesMost = 5;
const memoryMostMiB = 1_024;
/** Bodies that a fresh service gets: 1,500 of 1 MiB, twice; memory is read again after a minute. */
const rejectedBodies = { connections: 1_500, bytes: 1_048_576, rounds: 2, waitMs: 60_000 };
const rejectedMostMiB = 400;
const rejectedCallers = { count: 100, bytes: 1_048_576 };

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    only: { type: "string", default: "" },
    "same-address": { type: "boolean", default: false },
  },
});

const { only } = values;
if ("memory".includes(only)) await measureMemory();
if ("callers".includes(only)) await callAll();
const chosen = patterns.filter(({ name }) => name.includes(only));
if (chosen.length > 0) await attackWith(chosen);
console.log(
  process.exitCode === 1
    ? `FAULT: a call rejected, a response not read, a p99 over ${timesMost} times the one beside a busy core, or over ${memoryMostMiB} MiB (${rejectedMostMiB} of rejected bodies)`
    : "Nobody was rejected, none waited long, memory stayed bounded, every response was read.",
);

async function measureMemory(): Promise<void> {
  await using sandbox = await startSandbox();
  const { answers, startMiB, peakMiB, afterMiB } = await measureRejectedBodies(sandbox, rejectedBodies);
  const { connections, rounds } = rejectedBodies;
  console.log(`memory: ${rounds} times ${connections} rejected bodies of 1 MiB: ${JSON.stringify(answers)}`);
  console.log(`memory: ${startMiB} MiB before, ${peakMiB} MiB at its peak, ${afterMiB} MiB after a minute`);
  if (peakMiB > rejectedMostMiB || afterMiB > rejectedMostMiB || "none" in answers) process.exitCode = 1;
}

async function callAll(): Promise<void> {
  requirePrograms(["curl", "php", "java"]);
  await using sandbox = await startSandbox();
  for await (const { name, read, failed } of callWhileRejected(sandbox, rejectedCallers)) {
    console.log(
      `callers: ${name.padEnd(60)}${String(read).padStart(4)} of ${rejectedCallers.count} read their response`,
    );
    for (const one of failed.slice(0, 3)) console.log(`    ${one.slice(0, 200)}`);
    if (failed.length > 0) process.exitCode = 1;
  }
}

async function attackWith(attacks: readonly Pattern[]): Promise<void> {
  const address = values["same-address"] ? "127.0.0.1" : "127.0.0.2";
  await using sandbox = await startSandbox();
  const options = { sandbox, address, forMs: Number(values.seconds) * 1_000 };
  const names = ["calls", "p50 ms", "p99 ms", "busy p99", "times", "rejected", "MiB"].map((one) => one.padStart(9));
  console.log(`${"".padEnd(52)}${names.join("")}`);
  await measure(options);
  row("nobody attacks", await measure(options));
  for (const pattern of attacks) {
    // Straight before each: the machine's speed swings within minutes.
    const busy = await measureBeside(options);
    const attacked = await measure(options, pattern);
    const times = attacked.p99Ms / busy.p99Ms;
    row(pattern.name, attacked, { busy, times });
    if (attacked.rejected.length > 0 || times > timesMost || attacked.memoryMiB > memoryMostMiB) process.exitCode = 1;
  }
  row("nobody attacks", await measure(options));
}

/** Beside a process that is always busy. */
async function measureBeside(options: Parameters<typeof measure>[0]): Promise<Measured> {
  const busy = spawn(process.execPath, ["-e", "for (;;);"], { timeout: 4 * options.forMs });
  try {
    return await measure(options);
  } finally {
    busy.kill("SIGKILL");
  }
}

function row(name: string, measured: Measured, beside?: { readonly busy: Measured; readonly times: number }): void {
  const { calls, p50Ms, p99Ms, rejected, memoryMiB } = measured;
  const compared = beside ? [beside.busy.p99Ms.toFixed(1), beside.times.toFixed(1)] : ["", ""];
  const figures = [calls, p50Ms.toFixed(1), p99Ms.toFixed(1), ...compared, rejected.length, memoryMiB];
  console.log(`${name.padEnd(52)}${figures.map((figure) => String(figure).padStart(9)).join("")}`);
  for (const one of rejected.slice(0, 3)) console.log(`    ${one}`);
}
