/**
 * `npm test`: first the test files that need no database, meanwhile a real PostgreSQL starts; then the others, each with a
 * database of its own. `npm test -- ledger/hold` runs the files whose path contains that text,
 * `npm test -- --test-name-pattern='closed hold'` the tests of that name. `--limit=9` ends the run after 9 minutes,
 * `--file-limit=60` a file after 60 seconds.
 */
import { globSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { compileCache } from "../test/support/cli/bare-environment.ts";
import { clusterUrlVariable } from "../test/support/database/shared-cluster.ts";
import { createTemplate } from "../test/support/database/template.ts";
import { startTestCluster, sweepLeftovers, type TestCluster } from "../test/support/database/test-cluster.ts";
import { createTestReport } from "./test/report.ts";
import { runFiles } from "./test/run-files.ts";

const root = resolve(import.meta.dirname, "..");
const pure = ["packages/*/src/**/*.test.ts", "packages/{contract,client}/test/**/*.test.ts"];
const others = ["test/**/*.test.ts", "scripts/**/*.test.ts", "packages/*/test/**/*.test.ts"];

/** One test; one that needs longer says so by its own `timeout`. */
const testLimitMs = 3 * 60_000;
/** One file, seconds: several times what the longest takes on a slow machine. */
const fileLimit = "480";
const killMs = 5_000;
const outputMs = 10_000;
/** A file is a process. Two cores are kept busy by more of them: many wait for timers of the service. */
const concurrency = 4;
/** In CI: twice what a slow machine takes. Elsewhere nothing is stopped. */
const ciLimit = process.env["CI"] === undefined ? undefined : "24";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    limit: { type: "string", ...(ciLimit && { default: ciLimit }) },
    "file-limit": { type: "string", default: fileLimit },
    "test-name-pattern": { type: "string", multiple: true, default: [] },
    "test-skip-pattern": { type: "string", multiple: true, default: [] },
  },
});

function choose(patterns: readonly string[]): readonly string[] {
  const all = patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).sort();
  return all.filter((file) => positionals.length === 0 || positionals.some((text) => file.includes(text)));
}

const first = choose(pure);
const second = choose(others).filter((file) => !first.includes(file));
const report = createTestReport(first.length + second.length);
const stopping = new AbortController();

/** What was started is ended, and what did not run is counted as such. */
function stop(why: string): void {
  if (stopping.signal.aborted) process.exit(1);
  report.fail(why);
  stopping.abort();
}

const toOptions = (name: "test-name-pattern" | "test-skip-pattern") => values[name].map((text) => `--${name}=${text}`);

async function runAll(files: readonly string[]): Promise<void> {
  await runFiles({
    files: files.map((file) => resolve(root, file)),
    concurrency,
    nodeOptions: [
      `--test-timeout=${testLimitMs}`,
      ...toOptions("test-name-pattern"),
      ...toOptions("test-skip-pattern"),
    ],
    limits: { fileMs: Number(values["file-limit"]) * 1_000, killMs, outputMs },
    signal: stopping.signal,
    report,
  });
}

async function startDatabase(): Promise<TestCluster> {
  const cluster = await startTestCluster();
  await createTemplate(cluster.postgres.url);
  // The processes of the test files are started after this, and inherit it.
  process.env[clusterUrlVariable] = cluster.postgres.url;
  return cluster;
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop(`Stopped by ${signal}.`));
if (values.limit !== undefined) {
  const minutes = Number(values.limit);
  setTimeout(() => stop(`The tests did not end within ${minutes} minutes and are stopped.`), minutes * 60_000).unref();
}
process.env["NODE_COMPILE_CACHE"] = compileCache;

if (first.length + second.length === 0) {
  console.error(`No test file's path contains ${positionals.join(" or ")}.`);
  process.exitCode = 1;
} else {
  const database = second.length > 0 ? startDatabase() : undefined;
  database?.catch((error: unknown) => stop(`PostgreSQL did not start: ${String(error)}`));
  await runAll(first);
  const cluster = await database?.catch(() => undefined);
  await runAll(second);
  await cluster?.remove();
  // A file that was killed could not remove its own cluster.
  sweepLeftovers();
  process.exitCode = report.finish() ? 0 : 1;
}
