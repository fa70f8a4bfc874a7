/**
 * `npm run torture -- mutants`: plants each bug of `scripts/mutants/*.txt` in a copy of the repository and runs the test that
 * must fail with it; first each of these tests without a bug. `--part=2/4` runs the second quarter,
 * `--only=holds` those whose name, file or test holds that text.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { makeCopy } from "../mutants/copy.ts";
import { type Killer, type Mutant, readMutants } from "../mutants/mutant.ts";
import { isKilled, type KillerRun, runKiller, runMutant, type RunOptions } from "../mutants/run-mutant.ts";
import { createTemplate } from "../../test/support/database/template.ts";
import { startTestCluster } from "../../test/support/database/test-cluster.ts";
import { fail, report } from "./command-line.ts";

const root = resolve(import.meta.dirname, "../..");
const { values } = parseArgs({
  options: { part: { type: "string", default: "1/1" }, only: { type: "string", default: "" } },
});

function choose(): readonly Mutant[] {
  const { part, only } = values;
  const [at = 0, of = 0] = part.split("/").map(Number);
  if (!(at >= 1 && at <= of)) fail(`--part is ${part}: give 1/4, 2/4, …`);
  const mutants = readMutants(root).filter(({ name, path, killer }) =>
    [name, path, killer.file, killer.testName ?? ""].some((text) => text.includes(only)),
  );
  const length = Math.ceil(mutants.length / of);
  return mutants.slice((at - 1) * length, at * length);
}

const keyOf = ({ file, testName = "" }: Killer) => `${file} ${testName}`.trim();
const secondsOf = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** Sentences about mutants that survive, and about tests that fail by themselves. */
async function runAll(mutants: readonly Mutant[], options: RunOptions): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const [key, ofKiller] of Map.groupBy(mutants, ({ killer }) => keyOf(killer))) {
    const [{ killer } = fail("no mutant")] = ofKiller;
    const without = await runKiller(killer, options);
    if (options.signal.aborted) break;
    console.log(`${key}: ${without.passed} passed without a mutant, ${secondsOf(without.tookMs)}`);
    if (without.passed === 0 || without.failed.length > 0 || without.failure !== undefined) {
      faults.push(`${key} fails without a mutant: ${without.failure ?? (without.failed.join(", ") || "no test ran")}`);
      continue;
    }
    for (const mutant of ofKiller) {
      const run = await runMutant(mutant, options);
      if (options.signal.aborted) break;
      console.log(`  ${isKilled(run) ? "killed  " : "SURVIVED"} ${mutant.name} (${describe(run)})`);
      if (!isKilled(run)) faults.push(`${mutant.name} (${mutant.path}) survives ${key}: ${describe(run)}`);
    }
  }
  return faults;
}

function describe({ passed, failed, failure, tookMs }: KillerRun): string {
  const counts = `${failed.length} of ${passed + failed.length} failed, ${secondsOf(tookMs)}`;
  return failure === undefined ? counts : `${counts}, ${failure}`;
}

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stopping.abort());
const mutants = choose();
if (mutants.length === 0) fail(`No mutant's name, file or test holds "${values.only}".`);
const startedAt = performance.now();
using copy = makeCopy(root);
const cluster = await startTestCluster();
await createTemplate(cluster.postgres.url);
const faults = await runAll(mutants, { copy, clusterUrl: cluster.postgres.url, signal: stopping.signal });
await cluster.remove();
const summary = `${mutants.length} mutants in ${secondsOf(performance.now() - startedAt)}`;
if (stopping.signal.aborted) fail("Stopped.");
report("mutants", { faults, summary }, "each killed");
