/**
 * The bytes of free-form members as received. The scan finds where keys begin and values end; values of the
 * listed members are kept as slices by their path (`additionalInfo`, `bulkObject[2].additionalInfo`).
 */
import { isWhiteSpace } from "../signatures/minify.ts";
import type { FreeFormNames } from "./free-form-names.ts";

export interface Slices {
  readonly bytes: Uint8Array;
  readonly names: FreeFormNames;
  readonly found: Map<string, Uint8Array>;
  /** The string read last: a key once a colon follows it. Both quotes lie inside. */
  keyStart: number;
  keyEnd: number;
  keyHasEscapes: boolean;
  /** The list of the top object we are in, and the index of the entry. */
  list: string | undefined;
  index: number;
  /** The member whose value we are in, the depth of its object, and where its value starts. */
  path: string | undefined;
  depth: number;
  valueStart: number;
}

export function createSlices(bytes: Uint8Array, names: FreeFormNames): Slices {
  const key = { keyStart: 0, keyEnd: 0, keyHasEscapes: false };
  const list = { list: undefined, index: 0 };
  return { bytes, names, found: new Map(), ...key, ...list, path: undefined, depth: 0, valueStart: 0 };
}

/** The name the key at hand spells, if it is one of `names`. */
function findKey(slices: Slices, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  if (slices.keyHasEscapes) return findEscapedKey(slices, names);
  for (const name of names) {
    if (name.length === slices.keyEnd - slices.keyStart - 2 && spells(slices, name)) return name;
  }
  return undefined;
}

function spells({ bytes, keyStart }: Slices, name: string): boolean {
  for (let i = 0; i < name.length; i += 1) {
    if (bytes[keyStart + 1 + i] !== name.charCodeAt(i)) return false;
  }
  return true;
}

/** A name may be spelled with escapes; it must be found then too, or its value would be read and not kept. */
function findEscapedKey({ bytes, keyStart, keyEnd }: Slices, names: readonly string[]): string | undefined {
  const longestSpelling = 6 * 64;
  if (keyEnd - keyStart > longestSpelling) return undefined;
  try {
    const key: unknown = JSON.parse(Buffer.from(bytes.subarray(keyStart, keyEnd)).toString("latin1"));
    return names.find((name) => name === key);
  } catch {
    return undefined;
  }
}

/** A colon at `index` in an object at `depth`: the key at hand is a member's, whose value starts behind the colon. */
export function enterValue(slices: Slices, depth: number, index: number): void {
  if (depth === 1) {
    slices.list = findKey(slices, slices.names.lists);
    if (slices.list === undefined) open(slices, findKey(slices, slices.names.members), depth, index);
    else slices.index = 0;
  } else if (slices.list !== undefined) {
    const name = findKey(slices, slices.names.entryMembers.get(slices.list) ?? []);
    if (name !== undefined) open(slices, `${slices.list}[${slices.index}].${name}`, depth, index);
  }
}

function open(slices: Slices, path: string | undefined, depth: number, colon: number): void {
  slices.path = path;
  slices.depth = depth;
  slices.valueStart = colon + 1;
}

/**
 * A comma or closing bracket at `index` in a container at `depth`. Keeps the value that ends there, if its member is
 * listed; null counts as absent (spec D5). Returns the length of the kept value.
 */
export function leaveValue(slices: Slices, depth: number, index: number): number {
  if (slices.path === undefined || depth !== slices.depth) return 0;
  const { bytes } = slices;
  let start = slices.valueStart;
  let end = index;
  while (start < end && isWhiteSpace(bytes[start])) start += 1;
  while (end > start && isWhiteSpace(bytes[end - 1])) end -= 1;
  const letterN = 0x6e;
  if (bytes[start] !== letterN) slices.found.set(slices.path, bytes.subarray(start, end));
  slices.path = undefined;
  return end - start;
}
