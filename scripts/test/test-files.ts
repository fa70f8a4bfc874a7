/** The test files of the repository, and the units that run them. */
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
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

/** The units of files without a database, and of those with one: in each the ones that take longest come first. */
export function makeUnits(files: TestFiles, secondsOf: (file: string) => number) {
  const isShareable = (file: string) => !hookForAll.test(readFileSync(resolve(root, file), "utf8"));
  const byTime = (list: readonly string[]) => list.toSorted((one, other) => secondsOf(other) - secondsOf(one));
  const own = (file: string): TestUnit => ({ name: file, files: [resolve(root, file)] });
  const shared = files.pure.filter(isShareable);
  const parts = Array.from({ length: sharedProcesses }, (_, part) => shared.slice(...boundsOf(shared.length, part)));
  return {
    pure: [
      ...parts.filter(({ length }) => length > 0).map(share),
      ...files.pure.filter((file) => !isShareable(file)).map(own),
    ],
    others: byTime(files.others).map(own),
  };
}

/** Neighbours share more modules than others. */
function boundsOf(length: number, part: number): readonly [number, number] {
  const size = Math.ceil(length / sharedProcesses);
  return [part * size, (part + 1) * size];
}

function share(files: readonly string[]): TestUnit {
  const [first = "", last = first] = [files[0], files.at(-1)];
  const name = files.length === 1 ? first : `${files.length} files from ${first} to ${last}`;
  return { name, files: files.map((file) => resolve(root, file)) };
}
