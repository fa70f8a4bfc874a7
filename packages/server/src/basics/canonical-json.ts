/**
 * JSON as bodies of ours are signed (spec D14): compact, the keys of every object in one order, a number as it was spelled. A
 * receiver that parses such a text into sorted maps and writes it again gets the same bytes.
 */

/** Members of an object, each with the canonical text of its value. */
export type Members = ReadonlyMap<string, string>;

/** The canonical text of a value of ours: its numbers are as JavaScript writes them. Fastest when its keys are in order. */
export function writeCanonicalJson(value: unknown): string {
  return JSON.stringify(isInOrder(value) ? value : sortKeys(value));
}

/** True when the keys of all its objects are in order for certain. */
function isInOrder(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isInOrder);
  let before = "";
  for (const key of Object.keys(value)) {
    if (key < before || !plainKey.test(key)) return false;
    const member: unknown = (value as Readonly<Record<string, unknown>>)[key];
    if (typeof member === "object" && !isInOrder(member)) return false;
    before = key;
  }
  return true;
}

/** Neither integer-like nor with surrogates, which have an order of their own. */
const plainKey = /^[a-zA-Z]\w*$/;

function sortKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  const members = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(inOrder(Object.keys(value)).map((key) => [key, sortKeys(members[key])]));
}

/** Members of an object of ours, whose undefined ones count as absent. */
export function membersOf(value: object): Members {
  const given = Object.entries(value).filter(([, member]) => member !== undefined);
  return new Map(given.map(([key, member]) => [key, writeCanonicalJson(member)]));
}

export function writeMembers(members: Members): string {
  return `{${inOrder([...members.keys()])
    .map((key) => `${JSON.stringify(key)}:${members.get(key)}`)
    .join(",")}}`;
}

/** The canonical text of valid JSON without duplicate keys. @throws for what is no JSON; not for all that is none. */
export function canonicalize(text: string): string {
  return readValue({ text, at: 0 });
}

/** The members of such JSON; undefined where it is no object. */
export function readMembers(text: string): Members | undefined {
  const place = { text, at: 0 };
  return nextOf(place) === "{" ? readObject(place) : undefined;
}

interface Place {
  readonly text: string;
  at: number;
}

function readValue(place: Place): string {
  switch (nextOf(place)) {
    case "{":
      return writeMembers(readObject(place));
    case "[":
      return readList(place);
    case '"':
      return readText(place);
    default:
      return readScalar(place);
  }
}

function readObject(place: Place): Members {
  const members = new Map<string, string>();
  place.at += 1;
  for (let next = nextOf(place); next !== "}"; next = nextOf(place)) {
    if (next === ",") place.at += 1;
    nextOf(place);
    const key = JSON.parse(readText(place)) as string;
    nextOf(place);
    place.at += 1; // colon
    members.set(key, readValue(place));
  }
  place.at += 1;
  return members;
}

function readList(place: Place): string {
  const values: string[] = [];
  place.at += 1;
  for (let next = nextOf(place); next !== "]"; next = nextOf(place)) {
    if (next === ",") place.at += 1;
    values.push(readValue(place));
  }
  place.at += 1;
  return `[${values.join(",")}]`;
}

const [quote, backslash] = ['"'.charCodeAt(0), "\\".charCodeAt(0)];

/** A text without escapes is canonical as it stands. */
function readText(place: Place): string {
  const { text, at: start } = place;
  let hasEscapes = false;
  let end = start + 1;
  for (let code = text.charCodeAt(end); code !== quote && end < text.length; code = text.charCodeAt(end)) {
    hasEscapes ||= code === backslash;
    end += code === backslash ? 2 : 1;
  }
  place.at = end + 1;
  const found = text.slice(start, place.at);
  return hasEscapes ? JSON.stringify(JSON.parse(found)) : found;
}

/** A number as it is spelled, or a literal. */
const scalar = /[-+.\w]+/y;

function readScalar(place: Place): string {
  scalar.lastIndex = place.at;
  const found = scalar.exec(place.text)?.[0];
  if (found === undefined) throw new SyntaxError(`no JSON value at ${place.at}`);
  place.at += found.length;
  return found;
}

/** The next character that is no white space. */
function nextOf(place: Place): string | undefined {
  while (isWhiteSpace(place.text.charCodeAt(place.at))) place.at += 1;
  return place.text[place.at];
}

function isWhiteSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** In the order of their bytes, behind integer-like ones, which JavaScript puts in numeric order before all others. */
function inOrder(keys: readonly string[]): readonly string[] {
  const others = sortByBytes(keys.filter((key) => !isIndex(key)));
  if (others.length === keys.length) return others;
  const indexes = keys.filter(isIndex).map(Number);
  return [...indexes.sort((a, b) => a - b).map(String), ...others];
}

const indexMax = 2 ** 32 - 2;

/** True when a key is an array index of JavaScript: decimal, without a zero in front. */
function isIndex(key: string): boolean {
  return /^(?:0|[1-9]\d{0,9})$/.test(key) && Number(key) <= indexMax;
}

/** Without surrogates the order of UTF-8 is that of UTF-16, and so of `sort`. */
function sortByBytes(texts: string[]): readonly string[] {
  return /[\ud800-\udfff]/.test(texts.join("")) ? texts.sort(compareUtf8) : texts.sort();
}

/** Order of the texts' bytes in UTF-8, which is that of their code points. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const difference = rank(a.charCodeAt(i)) - rank(b.charCodeAt(i));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Code units of a surrogate pair stand for code points above those of all other units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
