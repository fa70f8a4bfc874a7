/** Files of one JSON object a line, which another party may be writing while we read. */
import type { OpenFile } from "./open-regular.ts";

/** A line that is longer than any we expect is not kept while it is read. */
const lineMax = 65_536;
const chunkSize = 65_536;
const newline = 0x0a;

export interface Line {
  /** Counted from 1 at the place where reading began. */
  readonly number: number;
  /** In the file, of its first byte and of the one behind its newline. */
  readonly start: number;
  readonly end: number;
  /** Without the newline; at most the first 64 KiB. */
  readonly bytes: Buffer;
  readonly isTooLong: boolean;
}

/** The complete lines from an offset on. What stands behind the last newline is still being written, and left out. */
export async function* readLines(file: Pick<OpenFile, "read">, from: number): AsyncGenerator<Line> {
  const chunk = Buffer.allocUnsafe(chunkSize);
  let kept: Buffer = Buffer.alloc(0);
  let start = from;
  let number = 1;
  for (let at = from; ; ) {
    const { bytesRead } = await file.read(chunk, 0, chunkSize, at);
    if (bytesRead === 0) return;
    let read = 0;
    for (let found = chunk.indexOf(newline); found !== -1 && found < bytesRead; found = chunk.indexOf(newline, read)) {
      const end = at + found + 1;
      const bytes = keep(kept, chunk.subarray(read, found));
      yield { number, start, end, bytes, isTooLong: end - start - 1 > lineMax };
      kept = Buffer.alloc(0);
      start = end;
      number += 1;
      read = found + 1;
    }
    kept = keep(kept, chunk.subarray(read, bytesRead));
    at += bytesRead;
  }
}

function keep(kept: Buffer, more: Buffer): Buffer {
  return Buffer.concat([kept, more.subarray(0, Math.max(0, lineMax - kept.length))]);
}

type Texts = Readonly<Record<string, string>>;

type ReadTexts = { readonly ok: true; readonly texts: Texts } | { readonly ok: false; readonly fault: string };

const utf8 = new TextDecoder("utf-8", { fatal: true });
const textLiterals = /"(?:[^"\\]|\\.)*"/g;

/** One flat object of texts. Rejects what two readers could read differently: a member that stands twice. */
export function readTexts({ bytes, isTooLong }: Line): ReadTexts {
  if (isTooLong) return { ok: false, fault: `it is longer than ${lineMax} bytes` };
  try {
    const line = utf8.decode(bytes);
    const value: unknown = JSON.parse(line);
    if (!isFlat(value)) return { ok: false, fault: "it is no JSON object whose members are all texts" };
    const literals = line.match(textLiterals)?.length ?? 0;
    if (literals !== 2 * Object.keys(value).length) return { ok: false, fault: "a member stands in it twice" };
    return { ok: true, texts: value };
  } catch {
    return { ok: false, fault: "it is no JSON in UTF-8" };
  }
}

/** True when nothing but white space stands in it. */
export function isBlank({ bytes }: Line): boolean {
  return bytes.toString("latin1").trim() === "";
}

function isFlat(value: unknown): value is Texts {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((member) => typeof member === "string");
}
