/** Command line of the long runs, and their ends. */
import type { TortureResult } from "../../test/torture/result.ts";

let drawnSeed: string | undefined;

/** Another one each time; printed, so that a run can be repeated. */
export function newSeed(): string {
  drawnSeed ??= String(Date.now() % 1_000_000);
  return drawnSeed;
}

/** Undefined where the run draws none. */
export const seedOfRun = (): string | undefined =>
  process.argv.find((text) => text.startsWith("--seed="))?.slice("--seed=".length) ?? drawnSeed;

/** A whole number from 0 up, or the end of the process. */
export function readCount(name: string, text: string): number {
  const count = Number(text);
  return Number.isSafeInteger(count) && count >= 0
    ? count
    : fail(`--${name} is ${text}: give a whole number from 0 up`);
}

export function fail(text: string): never {
  console.error(text);
  process.exit(2);
}

/** Prints what was found; a fault makes the process fail. */
export function report(name: string, { faults, summary }: TortureResult, inOrder: string): void {
  console.log(`${name}: ${summary}`);
  for (const fault of faults) console.error(`  FAULT ${fault}`);
  console.log(`${name}: ${faults.length === 0 ? inOrder : `${faults.length} faults`}`);
  if (faults.length > 0) process.exitCode = 1;
}
