/** The lines of a directory's files of instructions: all of the newest days, and the last one of each file before. */
import { type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Line, readLines } from "../files/json-lines.ts";
import type { FoundLine, LineContent } from "./compare.ts";

/** `instructions-2026-11-21-000017.jsonl`; without the fencing number, or without the day, of earlier releases. */
export const namePattern = /^instructions(?:-(\d{4}-\d\d-\d\d)(?:-\d+)?)?\.jsonl$/;

/** Enough for the longest line. */
const tailBytes = 131_072;

export function nameOf(day: string, fence: number): string {
  return `instructions-${day}-${String(fence).padStart(6, "0")}.jsonl`;
}

export interface ReadDirectory {
  readonly lines: readonly FoundLine[];
  /** The day of the newest file; empty: there is none. */
  readonly newestDay: string;
}

/** `wholeFrom`: the day from which files are read wholly. `onProgress` is called again and again. */
export async function readDirectory(
  directory: string,
  wholeFrom: string,
  onProgress: () => Promise<void>,
): Promise<ReadDirectory> {
  const lines: FoundLine[] = [];
  let newestDay = "";
  const names = (await readdir(directory)).filter((name) => namePattern.test(name)).toSorted();
  for (const name of names) {
    const day = namePattern.exec(name)?.[1] ?? "";
    if (day > newestDay) newestDay = day;
    await using file = await open(join(directory, name), "r");
    const read = day >= wholeFrom ? readWhole : readTail;
    for (const line of await read(file, name, onProgress)) lines.push(line);
    await onProgress();
  }
  return { lines, newestDay };
}

const linesAtOnce = 1_000;

export async function readWhole(
  file: FileHandle,
  name: string,
  onProgress: () => Promise<void>,
): Promise<readonly FoundLine[]> {
  const found: FoundLine[] = [];
  let end = 0;
  for await (const line of readLines(file, 0)) {
    found.push({ file: name, line: line.number, content: readContent(line) });
    end = line.end;
    if (line.number % linesAtOnce === 0) await onProgress();
  }
  const isTorn = (await file.stat()).size > end;
  return isTorn
    ? [...found, { file: name, line: found.length + 1, content: { fault: "it has no newline", isTorn: true } }]
    : found;
}

/** The newest complete line says whether the database knows the file; its place is counted from there. */
async function readTail(file: FileHandle, name: string): Promise<readonly FoundLine[]> {
  const { size } = await file.stat();
  let last: Line | undefined;
  let isWhole = size <= tailBytes;
  for await (const line of readLines(file, Math.max(0, size - tailBytes))) {
    // The first one may begin amid a line.
    if (isWhole) last = line;
    isWhole = true;
  }
  return last === undefined ? [] : [{ file: name, line: last.number, content: readContent(last) }];
}

function readContent({ bytes, isTooLong }: Line): FoundLine["content"] {
  if (isTooLong) return { fault: "it is too long" };
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return isContent(value) ? toContent(value) : { fault: "it is no instruction" };
  } catch {
    return { fault: "it is no JSON" };
  }
}

type Read = Omit<LineContent, "terms"> &
  Pick<LineContent["terms"], ComparedMember> &
  Partial<Omit<LineContent["terms"], ComparedMember>>;
type ComparedMember =
  | "referenceNo"
  | "idempotencyKey"
  | "amount"
  | "currency"
  | "beneficiaryBankCode"
  | "beneficiaryAccountNo";

function toContent(line: Read): LineContent {
  const { referenceNo, idempotencyKey, amount, currency, beneficiaryBankCode, beneficiaryAccountNo } = line;
  const { beneficiaryAccountName = "", sourceAccountNo = "", details = {} } = line;
  const beneficiary = { beneficiaryBankCode, beneficiaryAccountNo, beneficiaryAccountName };
  const terms = { referenceNo, idempotencyKey, amount, currency, ...beneficiary, sourceAccountNo, details };
  return { ledgerId: line.ledgerId, sequence: line.sequence, validUntil: line.validUntil, terms };
}

function isContent(value: unknown): value is Read {
  if (typeof value !== "object" || value === null) return false;
  const { referenceNo, idempotencyKey = "", ledgerId = "", sequence = 0, ...others }: Partial<Read> = value;
  const { amount, currency, beneficiaryBankCode, beneficiaryAccountNo } = others;
  const texts = [referenceNo, idempotencyKey, ledgerId, amount, currency, beneficiaryBankCode, beneficiaryAccountNo];
  return texts.every((text) => typeof text === "string") && Number.isSafeInteger(sequence);
}
