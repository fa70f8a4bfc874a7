/**
 * A provider's day by commands and calls alone: two nodes of production on Debian's PostgreSQL, operators of a real identity
 * provider, a partner, rails of files. Each step prints what was seen; one that goes otherwise ends the program.
 */
import { rmSync } from "node:fs";
import { createDataDir, removeDataDir } from "../../../test/support/black-box/data-dir.ts";
import { makeTestDirectory } from "../../../test/support/database/test-cluster.ts";
import { closeAndReopen, suspendAndResume } from "./provider-day/closings.ts";
import type { Day } from "./provider-day/day.ts";
import { foundProvider } from "./provider-day/found.ts";
import { onboard } from "./provider-day/onboard.ts";
import { callAllOperations } from "./provider-day/operations.ts";
import { resolveAndCorrect } from "./provider-day/resolve.ts";
import { retireAndAudit } from "./provider-day/retire.ts";
import { rotate } from "./provider-day/rotate.ts";

const steps: readonly (readonly [string, (day: Day) => Promise<string>])[] = [
  ["onboard", onboard],
  ["operations", callAllOperations],
  ["rotate keys", rotate],
  ["suspend", suspendAndResume],
  ["close a rail", closeAndReopen],
  ["resolve, correct", resolveAndCorrect],
  ["retire, audit", retireAndAudit],
];

async function timed<Value>(
  name: string,
  work: () => Promise<Value>,
  seenOf: (value: Value) => string,
): Promise<Value> {
  const startedAt = performance.now();
  const value = await work();
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  console.log(`${name.padEnd(16)} ${seconds.padStart(5)} s  ${seenOf(value)}`);
  return value;
}

const directory = createDataDir();
const passable = makeTestDirectory();
try {
  await using stack = new AsyncDisposableStack();
  const { day } = await timed(
    "found",
    () => foundProvider(stack, directory, passable),
    ({ seen }) => seen,
  );
  for (const [name, step] of steps) await timed(name, () => step(day), String);
} finally {
  removeDataDir(directory);
  rmSync(passable, { recursive: true, force: true });
}
process.exit();
