/** Spellings of a value by the usual JSON libraries, cheap ways first. */
import type { SentenceId } from "../sentences/sentences.ts";

/** Text that a caller may have hashed instead of the body. */
export interface BodyText {
  readonly text: string | Uint8Array;
  readonly id: SentenceId;
}

/** Deeper bodies are not read; more values than these take too long to write twenty times. */
const depthMax = 64;
const valuesMax = 3_000;

/** Made one by one, so that what is not looked at is not written. */
export function* writtenJson(text: string): Iterable<BodyText> {
  const value = readUsual(text);
  if (value === undefined) return;
  const plain = JSON.stringify(value);
  yield { text: plain, id: "bodyHash.writtenAnew" };
  // PHP's json_encode, with and without its flags.
  yield { text: escapeSlashes(plain), id: "bodyHash.escapes" };
  const escaped = escapeUnicode(plain);
  yield { text: escaped, id: "bodyHash.escapes" };
  yield { text: escapeSlashes(escaped), id: "bodyHash.escapes" };
  // Python's json.dumps.
  yield* spaced(value, "bodyHash.spaced");
  yield { text: JSON.stringify(value, null, 2), id: "bodyHash.pretty" };
  yield* sorted(value, plain);
  // Go's encoding/json and Java's Gson.
  yield { text: escapeRuns(plain, /[<>&\u2028\u2029]+/g), id: "bodyHash.escapes" };
  yield { text: escapeRuns(plain, /[<>&='\u2028\u2029]+/g), id: "bodyHash.escapes" };
  for (const indent of [4, "\t"]) yield { text: JSON.stringify(value, null, indent), id: "bodyHash.pretty" };
}

/** Indentations that manuals show and few libraries write. */
export function* unusualIndents(text: string): Iterable<BodyText> {
  const value = readUsual(text);
  if (value === undefined) return;
  for (const indent of [1, 3]) yield { text: JSON.stringify(value, null, indent), id: "bodyHash.pretty" };
}

function* spaced(value: unknown, id: BodyText["id"]): Iterable<BodyText> {
  const text = spaceOut(value);
  yield { text, id };
  yield { text: escapeUnicode(text), id };
}

function* sorted(value: unknown, plain: string): Iterable<BodyText> {
  const sortedValue = sortKeys(value);
  const text = JSON.stringify(sortedValue);
  if (text === plain) return;
  const id = "bodyHash.keysSorted";
  yield { text, id };
  yield { text: escapeSlashes(text), id };
  yield { text: escapeUnicode(text), id };
  yield { text: escapeUnicode(spaceOut(sortedValue)), id };
  yield { text: JSON.stringify(sortedValue, null, 2), id };
}

/** The value of a text; undefined: no JSON, or too much of it to write anew. */
export function readUsual(text: string): unknown {
  return isUnusual(text) ? undefined : parse(text);
}

/** Undefined: no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True when it has more values, or more containers inside one another, than any call has; texts count as they look. */
function isUnusual(text: string): boolean {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === "," || character === "[" || character === "{") values += 1;
    if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    if (depth > depthMax || values > valuesMax) return true;
  }
  return false;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sortKeys(member)]));
}

/** With a space behind every colon and comma: no text in JSON has a line break in it. */
export function spaceOut(value: unknown): string {
  return JSON.stringify(value, null, 1).replaceAll(/,\n */g, ", ").replaceAll(/\n */g, "");
}

const hexBytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Each character of the runs as `\uXXXX`. */
function escapeRuns(json: string, runs: RegExp): string {
  return json.replaceAll(runs, (run) => {
    let escaped = "";
    for (let at = 0; at < run.length; at += 1) {
      const code = run.charCodeAt(at);
      escaped += `\\u${hexBytes[code >> 8]}${hexBytes[code & 0xff]}`;
    }
    return escaped;
  });
}

function escapeUnicode(json: string): string {
  return escapeRuns(json, /[\u007f-\uffff]+/g);
}

function escapeSlashes(json: string): string {
  return json.replaceAll("/", "\\/");
}
