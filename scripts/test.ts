/**
 * `npm test`: every test file against one real PostgreSQL, each file with a database of its own.
 * `npm test -- ledger/hold` runs the files whose path holds that text; options go on to node, as
 * `npm test -- --test-name-pattern='closed hold'`.
 */
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { resolve } from "node:path";
import { sweepLeftovers } from "../packages/server/test/support/test-cluster.ts";

const root = resolve(import.meta.dirname, "..");
const patterns = ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts", "scripts/**/*.test.ts"];

/** The whole run; what hangs is a fault. CI has 15 minutes for everything, 10 of them for this. */
const timeLimitMs = 9.5 * 60_000;
/** One test; one that needs longer says so by its own `timeout`. */
const testLimitMs = 3 * 60_000;
/** A file is a process, and a busy one keeps PostgreSQL busy too: more at once than this only wait for each other. */
const concurrency = 2;

interface Choice {
  readonly options: readonly string[];
  readonly files: readonly string[];
}

function choose(args: readonly string[]): Choice {
  const options: string[] = [];
  const wanted: string[] = [];
  for (const [index, arg] of args.entries()) {
    // An option's value stands behind `=` or as the next argument, as node takes it.
    const isValue = args[index - 1] === "--test-name-pattern" || args[index - 1] === "--test-skip-pattern";
    (arg.startsWith("-") || isValue ? options : wanted).push(arg);
  }
  const all = patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).sort();
  const files = all.filter((file) => wanted.length === 0 || wanted.some((text) => file.includes(text)));
  return { options, files };
}

function run({ options, files }: Choice): Promise<number> {
  const flags = [
    "--conditions=source",
    "--test",
    "--test-reporter=./scripts/test-reporter.ts",
    `--test-concurrency=${concurrency}`,
    `--test-timeout=${testLimitMs}`,
    "--test-global-setup=packages/server/test/support/global-setup.ts",
  ];
  const child = spawn(process.execPath, [...flags, ...options, ...files], { cwd: root, stdio: "inherit" });
  // Stopped early, node reports what it has and may call that a success.
  let isStopped = false;
  const stop = (signal: NodeJS.Signals) => {
    isStopped = true;
    child.kill(signal);
    setTimeout(() => child.kill("SIGKILL"), 15_000).unref();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop(signal));
  const limit = setTimeout(() => {
    console.error(`\nThe tests did not end within ${timeLimitMs / 60_000} minutes and are stopped.`);
    stop("SIGTERM");
  }, timeLimitMs);
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", (code) => {
      clearTimeout(limit);
      done(isStopped ? 1 : (code ?? 1));
    });
  });
}

const choice = choose(process.argv.slice(2));
if (choice.files.length === 0) {
  console.error(`No test file's path holds ${process.argv.slice(2).join(" or ")}.`);
  process.exitCode = 1;
} else {
  console.log(`Running ${choice.files.length} test files against an embedded PostgreSQL (starting it first)`);
  process.exitCode = await run(choice);
  // A file that was killed could not remove its own cluster.
  sweepLeftovers();
}
