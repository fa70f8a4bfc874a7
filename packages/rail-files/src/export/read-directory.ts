/** The lines of a directory's files of instructions, page by page: all of a file, or the last one alone. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readInstructionLine } from "@titian/server/rails";
import { type Line, readLines } from "../files/json-lines.ts";
import { type OpenFile, openRegular } from "../files/open-regular.ts";
import type { Volume } from "../files/volume.ts";
import type { FoundLine } from "./compare.ts";

/** `instructions-2026-11-21-000017.jsonl`; without the fencing number, or without the day, of earlier releases. */
const namePattern = /^instructions(?:-(\d{4}-\d\d-\d\d)(?:-\d+)?)?\.jsonl$/;

/** Enough for the longest line. */
const tailBytes = 131_072;
const pageSize = 1_000;

export function nameOf(day: string, fence: number): string {
  return `instructions-${day}-${String(fence).padStart(6, "0")}.jsonl`;
}

export interface DirectoryFile {
  readonly name: string;
  /** Empty: it has none. */
  readonly day: string;
}

/** In the order of their names. */
export async function listFiles(volume: Volume, directory: string): Promise<readonly DirectoryFile[]> {
  const names = (await volume.run(() => readdir(directory))).toSorted();
  return names.flatMap((name) => {
    const match = namePattern.exec(name);
    return match === null ? [] : [{ name, day: match[1] ?? "" }];
  });
}

export interface ReadDeps {
  readonly volume: Volume;
  readonly directory: string;
  /** Called after each file: many of one line are a page, and may take longer than a lease lasts. */
  readonly onFile?: (() => Promise<void>) | undefined;
}

/** Files of days before `wholeFrom` have their last line alone. A page has at least one line. */
export async function* readPages(
  { volume, directory, onFile }: ReadDeps,
  files: readonly DirectoryFile[],
  wholeFrom: string,
): AsyncGenerator<readonly FoundLine[]> {
  let page: FoundLine[] = [];
  for (const { name, day } of files) {
    const opened = await openRegular(volume, join(directory, name));
    // Its writer removes one that it could not begin, and operators archive old ones.
    if (opened === undefined) continue;
    if (typeof opened === "string") {
      page.push({ file: name, line: 0, text: "", content: { ok: false, fault: opened } });
      continue;
    }
    await using file = opened;
    for await (const line of day >= wholeFrom ? readWhole(file, name) : readTail(file, name)) {
      page.push(line);
      if (page.length < pageSize) continue;
      yield page;
      page = [];
    }
    await onFile?.();
  }
  if (page.length > 0) yield page;
}

async function* readWhole(file: OpenFile, name: string): AsyncGenerator<FoundLine> {
  let end = 0;
  let count = 0;
  for await (const line of readLines(file, 0)) {
    yield toFound(line, name);
    end = line.end;
    count = line.number;
  }
  const isTorn = (await file.size()) > end;
  if (isTorn)
    yield { file: name, line: count + 1, text: "", content: { ok: false, fault: "it has no newline" }, isTorn };
}

/** The newest complete line says whether the database knows the file; which line of it that is, is not counted. */
async function* readTail(file: OpenFile, name: string): AsyncGenerator<FoundLine> {
  const size = await file.size();
  let last: Line | undefined;
  let isWhole = size <= tailBytes;
  for await (const line of readLines(file, Math.max(0, size - tailBytes))) {
    // The first one may begin amid a line.
    if (isWhole) last = line;
    isWhole = true;
  }
  if (last !== undefined) yield toFound({ ...last, number: 0 }, name);
}

function toFound({ number: line, bytes, isTooLong }: Line, file: string): FoundLine {
  const text = bytes.toString("utf8");
  const content = isTooLong ? ({ ok: false, fault: "it is too long" } as const) : readInstructionLine(text);
  return { file, line, text, content };
}
