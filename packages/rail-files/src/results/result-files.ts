/**
 * The results that the other side writes: files of a folder, in the order of their names, each only ever appended to.
 * Lines are read once, reported until they are acknowledged, and set aside when nobody can understand them.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { BadResultLine, RailResult, ResultPositions } from "@titian/server/rails";
import { isBlank, type Line, readLines } from "../files/json-lines.ts";
import { openRegular } from "../files/open-regular.ts";
import type { Volume } from "../files/volume.ts";
import { readResult } from "./result-line.ts";

export interface ResultFilesDeps {
  readonly volume: Volume;
  readonly folder: string;
  /** Results of other ledgers are left alone. */
  readonly ledgerId: string;
  /** Keeps a line that nobody can understand; called again for one that is kept. */
  readonly setAside: (bad: BadResultLine) => Promise<void>;
}

export interface ResultFiles {
  /** Reads the next page of what is new in the folder, and returns it. */
  read(): Promise<readonly RailResult[]>;
  unacknowledged(): readonly UnacknowledgedLine[];
  /** Forgets the lines once what is acknowledged with them is kept. */
  acknowledge(lines: readonly UnacknowledgedLine[], keep: (positions: ResultPositions) => Promise<void>): Promise<void>;
}

export interface UnacknowledgedLine {
  readonly file: string;
  /** Offset of its first byte. */
  readonly start: number;
  readonly result: RailResult;
}

interface KnownFile {
  readonly name: string;
  /** Everything before it is acknowledged, and the lines that begin at `beyond`. */
  readonly upTo: number;
  readonly beyond: readonly number[];
  /** Position up to which it was read, beside the number of lines. */
  end: number;
  lines: number;
  readonly unacknowledged: UnacknowledgedLine[];
}

/** Results that are read at once. */
const pageSize = 2_000;

export const namePattern = /^[^.].*\.jsonl$/;

/** `acknowledged`: by earlier instances. */
export function followResultFiles(deps: ResultFilesDeps, acknowledged: ResultPositions): ResultFiles {
  const files = new Map<string, KnownFile>();
  const add = (name: string, { upTo, beyond }: ResultPositions[string]) => {
    const file = { name, upTo, beyond, end: 0, lines: 0, unacknowledged: [] };
    files.set(name, file);
    return file;
  };
  for (const [name, position] of Object.entries(acknowledged)) add(name, position);
  return {
    read: async () => {
      const names = (await deps.volume.run(() => readdir(deps.folder)))
        .filter((name) => namePattern.test(name))
        .toSorted();
      const present = new Set(names);
      for (const name of files.keys()) if (!present.has(name)) files.delete(name);
      const found: RailResult[] = [];
      for (const name of names) {
        const file = files.get(name) ?? add(name, { upTo: 0, beyond: [] });
        if (found.length < pageSize) found.push(...(await readNew(deps, file, pageSize - found.length)));
      }
      return found;
    },
    unacknowledged: () =>
      [...files.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)).flatMap((file) => file.unacknowledged),
    acknowledge: async (lines, keep) => {
      const done = new Set(lines);
      const after = [...files.values()].map((file) => {
        const unacknowledged = file.unacknowledged.filter((line) => !done.has(line));
        const upTo = Math.max(file.upTo, unacknowledged[0]?.start ?? file.end);
        const own = file.unacknowledged.filter((line) => done.has(line)).map(({ start }) => start);
        return { ...file, unacknowledged, upTo, beyond: [...file.beyond, ...own].filter((start) => start >= upTo) };
      });
      await keep(Object.fromEntries(after.map(({ name, upTo, beyond }) => [name, { upTo, beyond }])));
      for (const file of after) files.set(file.name, file);
    },
  };
}

/** Reads what is new in it; what is no file, or cannot be opened, is set aside and holds up no other. */
async function readNew(deps: ResultFilesDeps, file: KnownFile, max: number): Promise<readonly RailResult[]> {
  const results: RailResult[] = [];
  const hasGrown = (size: number) => (size < Math.max(file.end, file.upTo) ? shorter : size > file.end);
  const found = await openRegular(deps.volume, join(deps.folder, file.name), hasGrown);
  if (typeof found === "string") await deps.setAside({ file: file.name, line: 0, fault: found, text: "" });
  if (found === undefined || typeof found === "string") return results;
  await using handle = found;
  const beyond = new Set(file.beyond);
  const before = file.lines;
  for await (const line of readLines(handle, file.end)) {
    const number = before + line.number;
    const isAcknowledged = line.start < file.upTo || beyond.has(line.start);
    const result = isAcknowledged ? undefined : await understand(deps, file.name, { line, number });
    if (result !== undefined) {
      file.unacknowledged.push({ file: file.name, start: line.start, result });
      results.push(result);
    }
    file.end = line.end;
    file.lines = number;
    if (results.length >= max) break;
  }
  return results;
}

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
