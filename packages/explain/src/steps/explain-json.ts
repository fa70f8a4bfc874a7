/** Step 10: why the body is not one strict JSON object (spec D5), and where. */
import { jsonReasons } from "@titian/contract";
import type { Received } from "../received.ts";
import type { Diagnosis } from "../report.ts";
import { shown } from "../shown.ts";
import { diagnose } from "../state.ts";
import { type JsonReading, readJsonText } from "./json-parser.ts";

const depthMax = 16;
/** A bulk of this length takes some 20 ms. */
const bodyMax = 512 * 1_024;

const formStart = /^[\w.%-]{1,60}=/;
/** A variable of Postman, and of most languages for templates. */
const placeholder = /^\{\{ ?([\w.$-]{1,40}) ?\}\}/;

export function explainJson({ evidence }: Received, reason = ""): Diagnosis {
  const { body = new Uint8Array() } = evidence;
  const say = (id: Parameters<typeof diagnose>[2], parameters = {}, part = "body") =>
    diagnose("json", part, id, parameters);
  if (body.length > bodyMax || evidence.isBodyCut === true) return say("json.unread", { reason });
  if (body.length === 0) return say("json.empty");
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return say("json.byteOrderMark");
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString("utf8");
  if (reason === jsonReasons.encoding) return notUtf8(body, say);
  if (formStart.test(text)) return say("json.form");
  const reading = readJsonText(text, depthMax);
  const at = (offset: number, parameters: Readonly<Record<string, string>>, id: Parameters<typeof diagnose>[2]) => {
    const place = placeOf(text, offset);
    return say(id, { ...place, ...parameters }, `${place.line}:${place.column}`);
  };
  const oddity = oddityOf(reading, reason);
  if (oddity !== undefined) {
    return at(oddity.offset, { found: shown(oddity.found, 40), max: String(depthMax) }, `json.${oddity.kind}`);
  }
  const { fault } = reading;
  if (fault !== undefined) {
    const [, variable] = placeholder.exec(text.slice(Math.max(0, fault.offset - 1), fault.offset + 60)) ?? [];
    if (variable !== undefined) return at(fault.offset, { variable: shown(variable, 40) }, "json.placeholder");
    return at(fault.offset, { expected: fault.expected ?? "", found: shown(fault.found ?? "", 40) }, fault.id);
  }
  if (!text.trimStart().startsWith("{")) return say("json.notObject", { found: shown(text.trimStart().slice(0, 1)) });
  return reason === jsonReasons.tooManyValues || reason === jsonReasons.freeFormTooLarge
    ? say("json.tooMuch")
    : say("json.unread", { reason: shown(reason) });
}

/** Oddity that is legal JSON and not read, if that is why the call was rejected. */
function oddityOf({ oddities }: JsonReading, reason: string) {
  return oddities.find(({ kind }) => jsonReasons[kind] === reason);
}

/** Line and column, counted from 1; columns in characters. */
function placeOf(text: string, offset: number): { readonly line: string; readonly column: string } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  const line = before.split("\n").length;
  return { line: String(line), column: String(Array.from(before.slice(lineStart)).length + 1) };
}

/** The first byte that no character of UTF-8 can have there. */
function notUtf8(
  body: Uint8Array,
  say: (id: "json.notUtf8", parameters: object, part: string) => Diagnosis,
): Diagnosis {
  const offset = wrongByteOf(body);
  const place = placeOf(Buffer.from(body.buffer, body.byteOffset, offset).toString("utf8"), offset);
  return say("json.notUtf8", { offset: String(offset + 1), ...place }, `${place.line}:${place.column}`);
}

function wrongByteOf(bytes: Uint8Array): number {
  let i = 0;
  while (i < bytes.length) {
    const length = lengthOf(bytes[i] as number, bytes[i + 1] ?? 0);
    const tail = bytes.subarray(i + 1, i + length);
    if (length === 0 || tail.length < length - 1 || tail.some((next) => (next & 0xc0) !== 0x80)) return i;
    i += length;
  }
  return i;
}

/** Length of the character that starts with these two bytes (RFC 3629, section 4); 0: none does. */
function lengthOf(first: number, second: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  if (first < 0xe0) return 2;
  if (first === 0xe0) return second >= 0xa0 ? 3 : 0;
  if (first === 0xed) return second < 0xa0 ? 3 : 0;
  if (first < 0xf0) return 3;
  if (first === 0xf0) return second >= 0x90 ? 4 : 0;
  return first === 0xf4 && second >= 0x90 ? 0 : 4;
}
