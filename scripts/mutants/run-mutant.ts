/** Runs the test that must fail with a mutant, and says what came of it. */
import { join, resolve } from "node:path";
import { seededVariable } from "../../test/support/black-box/seeded-sandbox.ts";
import { clusterUrlVariable } from "../../test/support/database/shared-cluster.ts";
import { runUnit } from "../test/run-unit.ts";
import type { Copy } from "./copy.ts";
import type { Killer, Mutant } from "./mutant.ts";

export interface KillerRun {
  readonly passed: number;
  /** Names of the tests that failed. */
  readonly failed: readonly string[];
  /** Reasons that each of them gave. */
  readonly reasons: readonly string[];
  /** Failure of the file itself, such as outliving its limit. */
  readonly failure: string | undefined;
  readonly tookMs: number;
}

export interface RunOptions {
  readonly copy: Copy;
  /** With the migrated template of the tree. */
  readonly clusterUrl: string | undefined;
  readonly signal: AbortSignal;
}

/** A mutant is killed within it, or survives. */
const limitMs = 120_000;

const limits = { unitMs: limitMs, killMs: 2_000, outputMs: 5_000 };

/** Files that make the template of a cluster: a mutant of one needs a cluster of its own. */
const makesTemplate = /\/store\/(migrations\/|schema\/(migrate|rights|roles|concurrent-migration)\.ts)/;

export function needsOwnCluster({ path }: Mutant): boolean {
  return makesTemplate.test(path);
}

/** Runs the killer as the copy is now. */
export async function runKiller({ file, testName }: Killer, options: RunOptions): Promise<KillerRun> {
  const { copy, clusterUrl, signal } = options;
  if (clusterUrl === undefined) delete process.env[clusterUrlVariable];
  else process.env[clusterUrlVariable] = clusterUrl;
  process.env["NODE_COMPILE_CACHE"] = join(copy.directory, "compile-cache");
  // It was made from the tree.
  delete process.env[seededVariable];
  const failed: string[] = [];
  const reasons: string[] = [];
  let passed = 0;
  const startedAt = performance.now();
  const end = await runUnit({
    unit: { name: file, files: [resolve(copy.directory, file)] },
    directory: copy.directory,
    nodeOptions: [`--test-timeout=${limitMs}`, ...(testName === undefined ? [] : [`--test-name-pattern=${testName}`])],
    limits,
    signal,
    onEvent: (event) => {
      if (event.kind !== "end" || event.isSuite || event.isSkipped) return;
      if (event.failure) {
        failed.push(event.name);
        reasons.push(event.failure.text);
      } else passed += 1;
    },
    onOutput: () => undefined,
  });
  return { passed, failed, reasons, failure: end.failure, tookMs: performance.now() - startedAt };
}

export function runMutant(mutant: Mutant, options: RunOptions): Promise<KillerRun> {
  const own = needsOwnCluster(mutant) ? { ...options, clusterUrl: undefined } : options;
  return options.copy.withMutant(mutant, () => runKiller(mutant.killer, own));
}

/** True when a test failed; a file that ended otherwise proves nothing. */
export function isKilled({ failed }: KillerRun): boolean {
  return failed.length > 0;
}
