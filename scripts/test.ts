/**
 * `npm test`: every test file, three processes at once, and up to two more while a part of the machine is idle, the longest
 * first; neighbouring files share a process. While those run that need no database, a real PostgreSQL starts for the others, each
 * with one of its own. `npm test -- ledger/hold` runs the files whose path contains that text, `npm test -- --changed` those that
 * what git says changed can make fail (`--base=main`: since this branch left `main`), `npm test -- --test-name-pattern='closed hold'`
 * the tests of that name.
 * `--limit=9` ends the run after 9 minutes, `--file-limit=60` a process of tests after 60 seconds; `--again=3` runs up to 3 failed
 * processes once more, alone; `--times` shows the times of all, `--keep-times` keeps them for the order.
 */
import { parseArgs } from "node:util";
import { compileCache } from "../test/support/cli/bare-environment.ts";
import { removeDataDir } from "../test/support/black-box/data-dir.ts";
import { seededVariable, seedSandbox } from "../test/support/black-box/seeded-sandbox.ts";
import { isSplit } from "../test/support/black-box/split-sandbox.ts";
import { citusUrl } from "../test/support/database/distributed-schema.ts";
import { clusterUrlVariable } from "../test/support/database/shared-cluster.ts";
import { createTemplate } from "../test/support/database/template.ts";
import {
  schemaVariable,
  startTestCluster,
  sweepLeftovers,
  type TestCluster,
} from "../test/support/database/test-cluster.ts";
import { chooseChanged } from "./test/changed-files.ts";
import { readDurations, secondsIn, writeDurations } from "./test/durations.ts";
import { elsewhere, inOtherSchema } from "./test/other-schema.ts";
import { overCells } from "./test/over-cells.ts";
import { createTestReport } from "./test/report.ts";
import type { TestUnit } from "./test/run-unit.ts";
import { runUnits } from "./test/run-units.ts";
import { listTestFiles, makeUnits, root, type TestFiles } from "./test/test-files.ts";

/** One test; one that needs longer says so by its own `timeout`. */
const testLimitMs = 3 * 60_000;
/** One process, seconds: several times what the longest takes on a slow machine. */
const fileLimit = "480";
const killMs = 5_000;
const outputMs = 10_000;
/** From so many files on it saves time that sandboxes begin as copies of one. */
const worthPreparing = 12;
/** Two cores are kept busy by three processes and what they start; with more, short time-outs of the service pass in tests. */
const concurrency = 3;
/** Many wait for timers, so that some of the machine is idle. */
const moreWhileIdle = 2;
/** In CI: twice what a slow machine takes. Elsewhere nothing is stopped. */
const ciLimit = process.env["CI"] === undefined ? undefined : "36";
/**
 * Tests keep the service's own time limits, which a machine that stands still for a moment exceeds. In CI what failed beside other
 * tests runs once more with nothing beside it, and is named as unsteady; more failures than so many are no accident.
 */
const ciAgain = process.env["CI"] === undefined ? "0" : "3";
const timesShown = 10;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: "boolean", default: false },
    base: { type: "string", default: "HEAD" },
    limit: { type: "string", ...(ciLimit && { default: ciLimit }) },
    "file-limit": { type: "string", default: fileLimit },
    again: { type: "string", default: ciAgain },
    times: { type: "boolean", default: false },
    "keep-times": { type: "boolean", default: false },
    "test-name-pattern": { type: "string", multiple: true, default: [] },
    "test-skip-pattern": { type: "string", multiple: true, default: [] },
  },
});

/** By their paths and, when asked, by what changed. */
function chooseFiles(): TestFiles {
  const all = listTestFiles();
  const isNamed = (file: string) => positionals.length === 0 || positionals.some((text) => file.includes(text));
  const named = { pure: all.pure.filter(isNamed), others: all.others.filter(isNamed) };
  if (!values.changed) return named;
  const { files, why } = chooseChanged({ root, base: values.base, tests: [...named.pure, ...named.others] });
  console.log(why);
  const isChosen = (file: string) => files.includes(file);
  return { pure: named.pure.filter(isChosen), others: named.others.filter(isChosen) };
}

const files = chooseFiles();
const durations = readDurations();
const patterns = (["test-name-pattern", "test-skip-pattern"] as const).flatMap((name) =>
  values[name].map((text) => `--${name}=${text}`),
);
// The test of a file, in which others are, has its path as its name, which a pattern would leave out.
const made = makeUnits(files, { secondsOf: secondsIn(durations), isAlone: patterns.length > 0 });
const isWhole = files.others.length >= worthPreparing && citusUrl === undefined;
const hasOtherSchema = isWhole && process.env[schemaVariable] === undefined;
const moved = hasOtherSchema ? inOtherSchema(made.others) : made.others;
const units = { ...made, others: hasOtherSchema && !isSplit ? overCells(moved) : moved };
const fileCount = files.pure.length + files.others.length;
const report = createTestReport({ fileCount, timesShown: values.times ? Infinity : timesShown });
const stopping = new AbortController();

/** Started units are ended, and what did not run is counted as such. */
function stop(why: string): void {
  if (stopping.signal.aborted) process.exit(1);
  report.fail(why);
  stopping.abort();
}

/** The processes of the units that need it are started after this, and inherit its variables. */
async function startDatabase(): Promise<Pick<TestCluster, "remove">> {
  if (citusUrl !== undefined) return { remove: async () => undefined };
  const { postgres, remove } = await startTestCluster();
  await createTemplate(postgres.url);
  process.env[clusterUrlVariable] = postgres.url;
  if (hasOtherSchema) await createTemplate(postgres.url, elsewhere);
  if (!isWhole) return { remove };
  const seeded = await seedSandbox(postgres.url);
  process.env[seededVariable] = seeded;
  return {
    remove: async () => {
      await remove();
      removeDataDir(seeded);
    },
  };
}

async function runAll(): Promise<void> {
  const database = units.others.length + units.last.length > 0 ? startDatabase() : undefined;
  database?.catch((error: unknown) => stop(`PostgreSQL did not start: ${String(error)}`));
  const run = {
    whatItNeeds: async (unit: TestUnit) => units.pure.includes(unit) || database?.catch(() => undefined),
    nodeOptions: [`--test-timeout=${testLimitMs}`, ...patterns],
    limits: { unitMs: Number(values["file-limit"]) * 1_000, killMs, outputMs },
    signal: stopping.signal,
    report,
  };
  await runUnits({ ...run, units: [...units.pure, ...units.others], concurrency, more: moreWhileIdle });
  await runUnits({ ...run, units: units.last, concurrency: 1 });
  const failed = report.failedUnits();
  // Nothing runs again of a run that was stopped.
  if (failed.length <= Number(values.again) && !stopping.signal.aborted) {
    report.takeBack(failed);
    await runUnits({ ...run, units: failed, concurrency: 1 });
  }
  const cluster = await database?.catch(() => undefined);
  await cluster?.remove();
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop(`Stopped by ${signal}.`));
if (values.limit !== undefined) {
  const minutes = Number(values.limit);
  setTimeout(() => stop(`The tests did not end within ${minutes} minutes and are stopped.`), minutes * 60_000).unref();
}
process.env["NODE_COMPILE_CACHE"] = compileCache;

if (fileCount === 0) {
  console.error(positionals.length > 0 ? `No test file's path contains ${positionals.join(" or ")}.` : "No test file.");
  process.exitCode = 1;
} else {
  await runAll();
  // A file that was killed could not remove its own cluster.
  sweepLeftovers();
  process.exitCode = report.finish() ? 0 : 1;
  if (values["keep-times"]) writeDurations(new Map([...durations, ...report.seconds()]));
}
