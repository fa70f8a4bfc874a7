/** The test files of the repository, and the units that run them. */
import { globSync } from "node:fs";
import { dirname, matchesGlob, resolve } from "node:path";
import type { TestUnit } from "./run-unit.ts";

export const root = resolve(import.meta.dirname, "../..");

/** Files that need no database and little of the machine. */
const pure = ["packages/*/src/**/*.test.ts", "packages/{contract,client}/test/**/*.test.ts"];
const others = ["test/**/*.test.ts", "scripts/**/*.test.ts", "packages/*/test/**/*.test.ts"];

/** Pure files share processes, as many as this; each loads the modules again. */
const pureProcesses = 2;

/** Files that change nothing of their process share it with their neighbours, and what they start for all of them. */
const together = "test/**";
/** Their database is that of a module, and each spoils it in its own way. */
const alone = "test/rails/adoption/*";

/** Files that run at the end, with nothing beside them: who waits for a core too long is reset, or misses a short deadline. */
const lastFiles = [
  "test/e2e/lifetime.test.ts",
  "test/database/unavailable.test.ts",
  "test/edge/waiting-bodies.test.ts",
];
/** Seconds of the files in a process, but for a longer one; more processes at once are quicker than longer ones. */
const most = { files: 10, seconds: 80 };

export interface TestFiles {
  readonly pure: readonly string[];
  readonly others: readonly string[];
}

export function listTestFiles(): TestFiles {
  const find = (patterns: readonly string[]) => globSync([...patterns], { cwd: root }).toSorted();
  const found = { pure: find(pure), others: find(others) };
  return { ...found, others: found.others.filter((file) => !found.pure.includes(file)) };
}

export interface UnitOptions {
  readonly secondsOf: (file: string) => number;
  /** Each file in a process of its own. */
  readonly isAlone: boolean;
}

/** The units of files without a database, of those with one, and of the last: in each the ones that take longest come first. */
export function makeUnits(files: TestFiles, { secondsOf, isAlone }: UnitOptions) {
  const byItself = (file: string): readonly string[] => [file];
  const toUnits = (lists: readonly (readonly string[])[]) => {
    const units = lists.filter(({ length }) => length > 0).map(unitOf);
    return units.toSorted((one, other) => secondsIn(other, secondsOf) - secondsIn(one, secondsOf));
  };
  const early = files.others.filter((file) => !lastFiles.includes(file));
  const atEnd = toUnits(files.others.filter((file) => lastFiles.includes(file)).map(byItself));
  if (isAlone) return { pure: toUnits(files.pure.map(byItself)), others: toUnits(early.map(byItself)), last: atEnd };
  const isShared = (file: string) => matchesGlob(file, together) && !matchesGlob(file, alone);
  const folders = [...Map.groupBy(early.filter(isShared), dirname).values()];
  const shared = folders.flatMap((folder) => neighbours(folder, secondsOf));
  return {
    pure: toUnits(parts(files.pure, pureProcesses)),
    others: toUnits([...shared, ...early.filter((file) => !isShared(file)).map(byItself)]),
    last: atEnd,
  };
}

/** Neighbours stay together: they share more modules than others. */
function parts(files: readonly string[], count: number): readonly (readonly string[])[] {
  const size = Math.ceil(files.length / count);
  return Array.from({ length: count }, (_, part) => files.slice(part * size, (part + 1) * size));
}

function neighbours(folder: readonly string[], secondsOf: (file: string) => number): readonly (readonly string[])[] {
  const lists: string[][] = [];
  let seconds = Infinity;
  for (const file of folder) {
    seconds += secondsOf(file);
    const last = lists.at(-1);
    if (last !== undefined && last.length < most.files && seconds <= most.seconds) last.push(file);
    else {
      lists.push([file]);
      seconds = secondsOf(file);
    }
  }
  return lists;
}

const secondsIn = ({ files }: TestUnit, secondsOf: (file: string) => number) =>
  files.reduce((sum, file) => sum + secondsOf(file.slice(root.length + 1)), 0);

function unitOf(files: readonly string[]): TestUnit {
  const [first = "", last = first] = [files[0], files.at(-1)];
  const name = files.length === 1 ? first : `${files.length} files from ${first} to ${last}`;
  return { name, files: files.map((file) => resolve(root, file)) };
}
