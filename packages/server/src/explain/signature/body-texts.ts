/** Bodies that callers hash instead of the bytes they send: what their JSON library, editor or framework makes of them. */
import { minify } from "@titian/contract";
import type { SentenceId } from "../sentences/sentences.ts";

export interface BodyText {
  readonly text: string | Uint8Array;
  readonly id: SentenceId;
}

/** Longer bodies are hashed as received and minified alone. */
export const wholeBodyMax = 128 * 1_024;
/** Deeper bodies are not read; more values than these take too long to write twenty times. */
const depthMax = 64;
const commasMax = 5_000;

export function bodyTexts(body: Uint8Array): readonly BodyText[] {
  const nothing: BodyText = { text: "", id: "bodyHash.ofNothing" };
  const minified = minify(body);
  if (body.length > wholeBodyMax) return [{ text: minified, id: "bodyHash.minified" }, nothing];
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString("utf8");
  return [
    { text: minified, id: "bodyHash.minified" },
    ...lineEnds(text),
    nothing,
    ...["{}", "null", '""'].map((empty): BodyText => ({ text: empty, id: "bodyHash.ofEmpty" })),
    { text: text.replaceAll(/\s+/g, ""), id: "bodyHash.allWhiteSpaceGone" },
    ...writtenAnew(text),
    { text: text.toLowerCase(), id: "bodyHash.lowerCaseBody" },
    { text: Buffer.from(minified).toString("utf8").toLowerCase(), id: "bodyHash.lowerCaseBody" },
    { text: JSON.stringify(text), id: "bodyHash.stringTwice" },
    { text: `\ufeff${text}`, id: "bodyHash.byteOrderMark" },
    { text: Buffer.from(text, "latin1"), id: "bodyHash.latin1" },
  ];
}

function lineEnds(text: string): readonly BodyText[] {
  const unix = text.replaceAll("\r\n", "\n");
  return [
    { text: `${text}\n`, id: "bodyHash.lineBreak" },
    { text: `${text}\r\n`, id: "bodyHash.lineBreak" },
    { text: text.trim(), id: "bodyHash.trimmed" },
    { text: unix.replaceAll("\n", "\r\n"), id: "bodyHash.crlf" },
    { text: unix, id: "bodyHash.lf" },
    // A heredoc or an editor writes its own end of the last line.
    { text: `${unix.replaceAll("\n", "\r\n")}\r\n`, id: "bodyHash.crlf" },
  ];
}

/** What the usual libraries write of the same value. */
function writtenAnew(text: string): readonly BodyText[] {
  if (isUnusual(text)) return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const plain = JSON.stringify(value);
  const sortedValue = sortKeys(value);
  const sorted = JSON.stringify(sortedValue);
  const spaced = spaceOut(value);
  const sortedSpaced = spaceOut(sortedValue);
  return [
    { text: plain, id: "bodyHash.writtenAnew" },
    // PHP's json_encode, with and without its flags.
    { text: escapeSlashes(escapeUnicode(plain)), id: "bodyHash.escapes" },
    { text: escapeSlashes(plain), id: "bodyHash.escapes" },
    { text: escapeUnicode(plain), id: "bodyHash.escapes" },
    // Go's encoding/json and Java's Gson.
    { text: plain.replaceAll(/[<>&\u2028\u2029]/g, unicodeEscape), id: "bodyHash.escapes" },
    { text: plain.replaceAll(/[<>&='\u2028\u2029]/g, unicodeEscape), id: "bodyHash.escapes" },
    // Python's json.dumps.
    { text: escapeUnicode(spaced), id: "bodyHash.spaced" },
    { text: spaced, id: "bodyHash.spaced" },
    ...[2, 4, "\t"].map((indent): BodyText => ({ text: JSON.stringify(value, null, indent), id: "bodyHash.pretty" })),
    { text: sorted, id: "bodyHash.keysSorted" },
    { text: escapeUnicode(sorted), id: "bodyHash.keysSorted" },
    { text: escapeSlashes(sorted), id: "bodyHash.keysSorted" },
    { text: escapeUnicode(sortedSpaced), id: "bodyHash.keysSorted" },
    { text: JSON.stringify(sortedValue, null, 2), id: "bodyHash.keysSorted" },
  ];
}

/** Whether it has more values, or more containers inside one another, than any call has; texts count as they look. */
function isUnusual(text: string): boolean {
  let depth = 0;
  let commas = 0;
  for (const [mark] of text.matchAll(/[[\]{},]/g)) {
    if (mark === ",") commas += 1;
    else depth += mark === "[" || mark === "{" ? 1 : -1;
    if (depth > depthMax || commas > commasMax) return true;
  }
  return false;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sortKeys(member)]));
}

/** With a space behind every colon and comma. */
function spaceOut(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaceOut).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${spaceOut(member)}`);
  return `{${members.join(", ")}}`;
}

const unicodeEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

function escapeUnicode(json: string): string {
  return json.replaceAll(/[\u007f-\uffff]/g, unicodeEscape);
}

function escapeSlashes(json: string): string {
  return json.replaceAll("/", "\\/");
}
