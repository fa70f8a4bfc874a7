/**
 * The results that the other side writes: files of a folder, in the order of their names, each only ever appended to.
 * Lines are read once, reported until they are acknowledged, and set aside when nobody can understand them.
 */
import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { BadResultLine, RailResult, ResultPositions } from "@titian/server/rails";
import { isBlank, type Line, readLines } from "../files/json-lines.ts";
import { readResult } from "./result-line.ts";

export interface ResultFilesDeps {
  readonly folder: string;
  /** Results of other ledgers are left alone. */
  readonly ledgerId: string;
  /** Keeps a line that nobody can understand; called again for one that is kept. */
  readonly setAside: (bad: BadResultLine) => Promise<void>;
}

export interface ResultFiles {
  /** Reads what is new in the folder, and returns it. */
  read(): Promise<readonly RailResult[]>;
  unacknowledged(): readonly UnacknowledgedLine[];
  /** What will have been acknowledged when these lines are too. */
  acknowledgedWith(lines: readonly UnacknowledgedLine[]): ResultPositions;
  forget(lines: readonly UnacknowledgedLine[]): void;
}

export interface UnacknowledgedLine {
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
  unacknowledged: UnacknowledgedLine[];
  /** What was acknowledged in front of which something was not. */
  readonly beyond: Set<number>;
}

export const namePattern = /^[^.].*\.jsonl$/;

/** `acknowledged`: by earlier instances. */
export function followResultFiles(deps: ResultFilesDeps, acknowledged: ResultPositions): ResultFiles {
  const files = new Map<string, KnownFile>();
  const earlier = new Map(Object.entries(acknowledged));
  const inOrder = () => [...files.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    read: async () => {
      const names = (await readdir(deps.folder)).filter((name) => namePattern.test(name)).toSorted();
      const isGone = (name: string) => !names.includes(name);
      for (const name of [...files.keys(), ...earlier.keys()].filter(isGone)) {
        files.delete(name);
        earlier.delete(name);
      }
      const found: RailResult[] = [];
      for (const name of names) {
        const { upTo = 0, beyond } = earlier.get(name) ?? {};
        const file = files.get(name) ?? { name, end: 0, lines: 0, unacknowledged: [], beyond: new Set(beyond) };
        files.set(name, file);
        found.push(...(await readNew(deps, { file, upTo })));
      }
      return found;
    },
    unacknowledged: () => inOrder().flatMap((file) => file.unacknowledged),
    acknowledgedWith: (lines) => {
      const done = new Set(lines);
      const entries = [...files.values()].map((file): [string, ResultPositions[string]] => {
        const before = earlier.get(file.name);
        // Not read again so far, because it cannot be.
        if (before && file.end < before.upTo) return [file.name, before];
        const upTo = file.unacknowledged.find((line) => !done.has(line))?.start ?? file.end;
        const own = file.unacknowledged.filter((line) => done.has(line)).map(({ start }) => start);
        return [file.name, { upTo, beyond: [...file.beyond, ...own].filter((start) => start > upTo) }];
      });
      return Object.fromEntries(entries);
    },
    forget: (lines) => {
      const done = new Set(lines);
      for (const { file: name, start } of lines) files.get(name)?.beyond.add(start);
      for (const file of files.values()) {
        file.unacknowledged = file.unacknowledged.filter((line) => !done.has(line));
        const upTo = file.unacknowledged[0]?.start ?? file.end;
        for (const start of file.beyond) if (start < upTo) file.beyond.delete(start);
      }
    },
  };
}

interface Reading {
  readonly file: KnownFile;
  /** Everything before it was acknowledged by an earlier instance. */
  readonly upTo: number;
}

/** Reads what is new in it; what is no file, or cannot be opened, is set aside and holds up no other. */
async function readNew(deps: ResultFilesDeps, { file, upTo }: Reading): Promise<readonly RailResult[]> {
  const results: RailResult[] = [];
  const found = await openGrown(join(deps.folder, file.name), file.end, upTo);
  if (typeof found === "string") await deps.setAside({ file: file.name, line: 0, fault: found, text: "" });
  if (found === undefined || typeof found === "string") return results;
  await using handle = found;
  const before = file.lines;
  for await (const line of readLines(handle, file.end)) {
    const number = before + line.number;
    const isAcknowledged = line.start < upTo || file.beyond.has(line.start);
    const result = isAcknowledged ? undefined : await understand(deps, file.name, { line, number });
    if (result !== undefined) {
      file.unacknowledged.push({ file: file.name, start: line.start, result });
      results.push(result);
    }
    file.end = line.end;
    file.lines = number;
  }
  return results;
}

/** The file, if it has more than was read of it; or why it is not read. */
async function openGrown(path: string, end: number, upTo: number): Promise<FileHandle | string | undefined> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) return isLink;
    // Before it is opened: opening a socket fails, and a device may do something.
    if (!found.isFile()) return noFile;
    if (found.size < Math.max(end, upTo)) return shorter;
    if (found.size === end) return undefined;
    const file = await open(path, readOnly);
    // Something else may have taken its place meanwhile.
    if ((await file.stat()).isFile()) return file;
    await file.close();
    return noFile;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // Whoever wrote it may have removed it meanwhile.
    if (code === "ENOENT") return undefined;
    if (code === "ELOOP") return isLink;
    return `it cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** A link is not followed, and a pipe that took the file's place does not wait for its writer. */
const readOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const noFile = "it is no file";
const isLink = "it is a symbolic link, which is not followed";
const shorter = "the file became shorter than it was; what it holds now is not read";

interface Numbered {
  readonly line: Line;
  readonly number: number;
}

/** Undefined: it reports nothing of this ledger's, or nobody can understand it. */
async function understand(
  { ledgerId, setAside }: ResultFilesDeps,
  file: string,
  { line, number }: Numbered,
): Promise<RailResult | undefined> {
  if (isBlank(line)) return undefined;
  const read = readResult(line);
  if (read.ok) return (read.ledgerId ?? ledgerId) === ledgerId ? read.result : undefined;
  await setAside({ file, line: number, fault: read.fault, text: line.bytes.toString("utf8") });
  return undefined;
}
