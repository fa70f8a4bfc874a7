/**
 * The results that the other side writes: files of a folder, in the order of their names, each only ever appended to.
 * Lines are read once, told until they are taken, and set aside when nobody can tell what they say.
 */
import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { RailResult, RailState } from "../rail.ts";
import { isBlank, type Line, readLines } from "./json-lines.ts";
import { mayFollow, readResult } from "./result-line.ts";
import type { BadLine, SetAside } from "./set-aside.ts";
import type { Taken } from "./taken-file.ts";

export interface ResultFilesDeps {
  readonly folder: string;
  readonly setAside: SetAside;
  /** Whether an instruction of the number was handed over. */
  readonly isOurs: (referenceNo: string) => Promise<boolean>;
  readonly onBadLine: (bad: BadLine) => void;
}

export interface ResultFiles {
  /** Reads what is new in the folder. */
  read(): Promise<void>;
  /** The newest that was said of an instruction. */
  stateOf(referenceNo: string): RailState | undefined;
  untaken(): readonly UntakenLine[];
  /** What will have been taken when these lines are too. */
  takenWith(lines: readonly UntakenLine[]): Taken;
  forget(lines: readonly UntakenLine[]): void;
}

export interface UntakenLine {
  readonly file: string;
  /** Offset of its first byte. */
  readonly start: number;
  readonly result: RailResult;
}

interface KnownFile {
  readonly name: string;
  /** How far it was read, and how many lines that is. */
  end: number;
  lines: number;
  untaken: UntakenLine[];
  /** What was taken in front of which something was not. */
  readonly beyond: Set<number>;
}

/** `taken` is what earlier instances took. */
export function followResultFiles(deps: ResultFilesDeps, taken: Taken): ResultFiles {
  const files = new Map<string, KnownFile>();
  const earlier = new Map(Object.entries(taken));
  const states = new Map<string, RailState>();
  const inOrder = () => [...files.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    read: async () => {
      const names = (await readdir(deps.folder)).filter((name) => /^[^.].*\.jsonl$/.test(name)).toSorted();
      const isGone = (name: string) => !names.includes(name);
      for (const name of [...files.keys(), ...earlier.keys()].filter(isGone)) {
        files.delete(name);
        earlier.delete(name);
      }
      for (const name of names) {
        const { upTo = 0, beyond } = earlier.get(name) ?? {};
        const file = files.get(name) ?? { name, end: 0, lines: 0, untaken: [], beyond: new Set(beyond) };
        files.set(name, file);
        await readFile(deps, { file, states, upTo });
      }
    },
    stateOf: (referenceNo) => states.get(referenceNo),
    untaken: () => inOrder().flatMap((file) => file.untaken),
    takenWith: (lines) => {
      const done = new Set(lines);
      const entries = [...files.values()].map((file): [string, Taken[string]] => {
        const upTo = file.untaken.find((line) => !done.has(line))?.start ?? file.end;
        const own = file.untaken.filter((line) => done.has(line)).map(({ start }) => start);
        return [file.name, { upTo, beyond: [...file.beyond, ...own].filter((start) => start > upTo) }];
      });
      return Object.fromEntries(entries);
    },
    forget: (lines) => {
      const done = new Set(lines);
      for (const { file: name, start } of lines) files.get(name)?.beyond.add(start);
      for (const file of files.values()) {
        file.untaken = file.untaken.filter((line) => !done.has(line));
        const upTo = file.untaken[0]?.start ?? file.end;
        for (const start of file.beyond) if (start < upTo) file.beyond.delete(start);
      }
    },
  };
}

interface Reading {
  readonly file: KnownFile;
  readonly states: Map<string, RailState>;
  /** Everything before it was taken by an earlier instance. */
  readonly upTo: number;
}

async function readFile(deps: ResultFilesDeps, { file, states, upTo }: Reading): Promise<void> {
  const path = join(deps.folder, file.name);
  const { size } = await stat(path);
  if (size < Math.max(file.end, upTo)) return setAside(deps, { file: file.name, line: 0, fault: shorter, text: "" });
  if (size === file.end) return;
  await using handle = await open(path, "r");
  const before = file.lines;
  for await (const line of readLines(handle, file.end)) {
    const number = before + line.number;
    const result = await understand(deps, states, { file: file.name, line, number });
    if (result !== undefined && line.start >= upTo && !file.beyond.has(line.start)) {
      file.untaken.push({ file: file.name, start: line.start, result });
    }
    file.end = line.end;
    file.lines = number;
  }
}

const shorter = "the file became shorter than it was; what it holds now is not read";

interface Place {
  readonly file: string;
  readonly line: Line;
  readonly number: number;
}

/** The result that the line tells, or undefined when it tells none: then it is set aside. */
async function understand(
  deps: ResultFilesDeps,
  states: Map<string, RailState>,
  { file, line, number }: Place,
): Promise<RailResult | undefined> {
  if (isBlank(line) || deps.setAside.has(file, number)) return undefined;
  const bad = (fault: string) =>
    setAside(deps, { file, line: number, fault, text: line.bytes.toString("utf8") }).then(() => undefined);
  const read = readResult(line);
  if (!read.ok) return bad(read.fault);
  const { referenceNo, state } = read.result;
  if (!(await deps.isOurs(referenceNo))) return bad("no instruction of its number was handed over");
  const last = states.get(referenceNo);
  if (!mayFollow(state, last)) return bad(`it says otherwise than before, which was ${last?.kind}`);
  // What is back stays back, whoever tells late that it had settled.
  if (last?.kind !== "returned") states.set(referenceNo, state);
  return read.result;
}

async function setAside({ setAside: kept, onBadLine }: ResultFilesDeps, bad: BadLine): Promise<void> {
  if (kept.has(bad.file, bad.line)) return;
  await kept.add(bad);
  onBadLine(bad);
}
