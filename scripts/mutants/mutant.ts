/** Mutants: planted bugs as data, one for each guard of the server. `README.md` beside this file says how they are written. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A test file that must fail with the mutant. */
export interface Killer {
  readonly file: string;
  /** Name of the test, or a part of it; absent: the whole file runs. */
  readonly testName?: string | undefined;
}

export interface Mutant {
  readonly name: string;
  /** Path of the changed file, from the root of the repository. */
  readonly path: string;
  /** Text of the file; it occurs there once. */
  readonly text: string;
  readonly replacement: string;
  readonly killer: Killer;
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** All folders below it are checked for guards. */
export const serverSources = "packages/server/src";

const directory = "scripts/mutants";

/** All mutants; those of one killer stand together. */
export function readMutants(root: string): readonly Mutant[] {
  const files = globSync(`${directory}/*.txt`, { cwd: root }).sort();
  const mutants = files.flatMap((file) => parseMutants(readFileSync(join(root, file), "utf8")));
  const orderOf = ({ killer: { file, testName = "" } }: Mutant) => `${file} ${testName}`;
  return mutants.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

/** `# path :: killer :: test` begins a file, `@@ name :: killer :: test` a mutant in it; its own killer comes first. */
function parseMutants(list: string): readonly Mutant[] {
  return list
    .split(/^# /m)
    .slice(1)
    .flatMap((section) => {
      const [head = "", ...parts] = section.split(/^@@ /m);
      const [path = "", ...killer] = fieldsOf(head);
      return parts.map((part) => parseMutant(part, `${serverSources}/${path}`, killer));
    });
}

function parseMutant(part: string, path: string, killerOfFile: readonly string[]): Mutant {
  const [head = "", ...lines] = part.trimEnd().split("\n");
  const [name = "", ...killer] = fieldsOf(head);
  const [file = "", testName] = killer.length > 0 ? killer : killerOfFile;
  return {
    name,
    path,
    text: marked(lines, "-"),
    replacement: marked(lines, "+"),
    killer: { file, testName },
  };
}

function fieldsOf(head: string): readonly string[] {
  return head.trim().split(" :: ");
}

function marked(lines: readonly string[], mark: "-" | "+"): string {
  return lines
    .filter((line) => line.startsWith(mark))
    .map((line) => line.slice(2))
    .join("\n");
}

/** Where the mutant's text is in its file. @throws unless it is there once. */
export function rangeOf({ name, path, text }: Mutant, content: string): Range {
  const start = content.indexOf(text);
  if (text === "" || start === -1) throw new Error(`mutant "${name}": ${path} does not have its text: ${text}`);
  if (content.includes(text, start + 1)) throw new Error(`mutant "${name}": ${path} has its text twice: ${text}`);
  return { start, end: start + text.length };
}

/** The file with the bug. */
export function applyMutant(mutant: Mutant, content: string): string {
  const { start, end } = rangeOf(mutant, content);
  return content.slice(0, start) + mutant.replacement + content.slice(end);
}
