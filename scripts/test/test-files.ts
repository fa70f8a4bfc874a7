/** The test files of the repository, and the units that run them. */
import { globSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { TestUnit } from "./run-unit.ts";

export const root = resolve(import.meta.dirname, "../..");

/** Files that need no database and little of the machine. */
const pure = ["packages/*/src/**/*.test.ts", "packages/{contract,client}/test/**/*.test.ts"];
const others = ["test/**/*.test.ts", "scripts/**/*.test.ts", "packages/*/test/**/*.test.ts"];

/** Pure files share processes, as many as this; each loads the modules again. */
const sharedProcesses = 2;

/** A hook at the top of a file is for every test of its process. */
const hookForAll = /^(before|beforeEach|afterEach)\(/m;

export interface TestFiles {
  readonly pure: readonly string[];
  readonly others: readonly string[];
}

export function listTestFiles(): TestFiles {
  const find = (patterns: readonly string[]) => globSync([...patterns], { cwd: root }).toSorted();
  const found = { pure: find(pure), others: find(others) };
  return { ...found, others: found.others.filter((file) => !found.pure.includes(file)) };
}

/** Files that share a fixture of their process: those of one folder are a unit. */
const sharedFixture = /\bawait share\w+\(/;

/** The units of files without a database, and of those with one; of the latter the ones that take longest come first. */
export function makeUnits(files: TestFiles, secondsOf: (file: string) => number) {
  const textOf = (file: string) => readFileSync(resolve(root, file), "utf8");
  const hasOwnProcess = (file: string) => hookForAll.test(textOf(file));
  const [own, sharing] = partition(files.pure, hasOwnProcess);
  const size = Math.ceil(sharing.length / sharedProcesses);
  // Neighbours share more modules than others.
  const parts = Array.from({ length: sharedProcesses }, (_, part) => sharing.slice(part * size, (part + 1) * size));

  const [withFixture, others] = partition(files.others, (file) => sharedFixture.test(textOf(file)));
  const groups = [...Map.groupBy(withFixture, dirname).values()];
  const byTime = others.toSorted((one, other) => secondsOf(other) - secondsOf(one));
  return {
    pure: [...parts.filter(({ length }) => length > 0), ...own.map(alone)].map(unitOf),
    others: [...groups, ...byTime.map(alone)].map(unitOf),
  };
}

const alone = (file: string): readonly string[] => [file];

function partition(files: readonly string[], isFirst: (file: string) => boolean) {
  return [files.filter(isFirst), files.filter((file) => !isFirst(file))] as const;
}

function unitOf(files: readonly string[]): TestUnit {
  const [first = "", last = first] = [files[0], files.at(-1)];
  const name = files.length === 1 ? first : `${files.length} files from ${first} to ${last}`;
  return { name, files: files.map((file) => resolve(root, file)) };
}
