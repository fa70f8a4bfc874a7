/** `npm test -- --changed`: the test files that lead to what git says changed, and those that look at the whole repository. */
import { execFileSync } from "node:child_process";
import { createImportGraph } from "./import-graph.ts";

/** They read the repository as a whole, or what no import leads to. */
const always = /^scripts\/(docs\/.*|planted|mutants)\.test\.ts$/;
/** A change of one of these changes every test. */
const everything = /^(package\.json|package-lock\.json|scripts\/test\.ts|scripts\/test\/[\w-]+\.ts)$/;

export interface Chosen {
  readonly files: readonly string[];
  /** Lines that say what was chosen and why. */
  readonly why: string;
}

export interface Changes {
  readonly root: string;
  /** A commit, or a branch: what changed since this one left it. */
  readonly base: string;
  readonly tests: readonly string[];
}

export function chooseChanged({ root, base, tests }: Changes): Chosen {
  const git = (...args: readonly string[]) =>
    execFileSync("git", [...args, "-z"], { cwd: root, encoding: "utf8" })
      .split("\0")
      .filter(Boolean);
  const [since = base] = execFileSync("git", ["merge-base", base, "HEAD"], { cwd: root, encoding: "utf8" }).split("\n");
  const untracked = git("ls-files", "--others", "--exclude-standard");
  // A file that was moved is one that is gone and a new one.
  const changed = [...new Set([...git("diff", "--name-only", "--no-renames", since), ...untracked])].toSorted();
  return choose(changed, base, tests, () => createImportGraph(root, [...git("ls-files"), ...untracked]));
}

/** `graph`: made when it is needed. */
export function choose(
  changed: readonly string[],
  base: string,
  tests: readonly string[],
  graph: () => Pick<ReturnType<typeof createImportGraph>, "reachedFrom">,
): Chosen {
  const head = `${changed.length} files changed since ${base}`;
  const cause = changed.find((file) => everything.test(file));
  if (cause !== undefined) return { files: tests, why: `${head}, among them ${cause}: every test file runs.` };
  const { reachedFrom } = graph();
  const reached = new Map(tests.map((test) => [test, reachedFrom(test)]));
  const leadsTo = (test: string, file: string) => reached.get(test)?.has(file) === true;
  const isReached = (test: string) => changed.some((file) => leadsTo(test, file));
  const files = tests.filter((test) => always.test(test) || isReached(test));
  const because = files.filter(isReached).length;
  const counts = changed.map((file) => `  ${file}: ${tests.filter((test) => leadsTo(test, file)).length}`);
  const chosen = `${files.length} of ${tests.length} test files run: ${because} lead to what changed, the others look at the whole repository.`;
  return { files, why: [`${head}, each with the number of test files that lead to it:`, ...counts, chosen].join("\n") };
}
