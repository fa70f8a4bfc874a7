/**
 * Goal: an operation on a known noun is a row, a handler and few lines more, and everything that tells of operations knows it
 * from there. Method: one that the standard does not have is kept as a patch, applied to a copy of the repository, and run.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { clusterUrlVariable } from "../test/support/database/shared-cluster.ts";
import { makeCopy } from "./mutants/copy.ts";
import { runKiller } from "./mutants/run-mutant.ts";

const root = resolve(import.meta.dirname, "..");
const patch = resolve(root, "scripts/planted/refund-query.patch");
const sourcesMax = 8;

/** Its own, and those that compare every row with something else. */
const files = [
  "test/e2e/planted/refund-query.test.ts",
  "packages/contract/test/about.test.ts",
  "packages/contract/test/table.test.ts",
  "packages/contract/test/examples.test.ts",
];

function apply(directory: string, ...options: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("git", ["apply", ...options, patch], {
    cwd: directory,
    encoding: "utf8",
  });
  assert.equal(status, 0, `${stderr}The planted operation no longer fits: scripts/planted/README.md`);
  return stdout;
}

test(`an operation more on a known noun changes at most ${sourcesMax} source files`, () => {
  const changed = apply(root, "--numstat").trimEnd().split("\n");
  const sources = changed.filter((line) => /\tpackages\/[^/]+\/src\//.test(line));
  assert.ok(sources.length > 1 && sources.length <= sourcesMax, sources.join("\n"));
});

test("it is answered, described, offered and explained like every other", { timeout: 240_000 }, async () => {
  let directory: string;
  {
    using copy = makeCopy(root);
    ({ directory } = copy);
    apply(directory);
    const options = { copy, clusterUrl: process.env[clusterUrlVariable], signal: new AbortController().signal };
    for (const file of files) {
      const { passed, failed, reasons, failure } = await runKiller({ file }, options);
      assert.deepEqual([failed, failure], [[], undefined], `${file}: ${reasons.join("\n")}`);
      assert.ok(passed > 0, file);
    }
  }
  assert.ok(!existsSync(directory), "the copy is gone");
});
