/**
 * Known values that are looked for anywhere in a text, in one pass however many they are: a rolling hash of as many
 * characters as the shortest value has finds where one may begin (Rabin and Karp). Pure.
 */

export interface ValueIndex<Owner extends object> {
  /** Values in the text, none within another. */
  find(text: string): Iterable<{ readonly start: number; readonly end: number; readonly owner: Owner }>;
}

/** Values that begin alike: mostly one. */
interface Bucket<Owner> {
  readonly value: string;
  readonly owner: Owner;
  others: Others<Owner> | undefined;
}

interface Others<Owner> {
  readonly owners: Map<string, Owner>;
  /** Lengths of the values, the longest first. */
  lengths: readonly number[];
}

/** Odd. Who makes texts that meet a value's hash gains nothing: each is compared once. */
const base = 0x0100_0193;
/** Bits for each value: of other texts few are looked up in the map. */
const bitsPerValue = 64;

/** Each value has at least `width` characters. */
export function createValueIndex<Owner extends object>(
  values: Iterable<readonly [string, Owner]>,
  width: number,
): ValueIndex<Owner> {
  const buckets = new Map<number, Bucket<Owner>>();
  for (const [value, owner] of values) {
    const hash = hashOf(value, width);
    const bucket = buckets.get(hash);
    if (bucket === undefined) buckets.set(hash, { value, owner, others: undefined });
    else if (bucket.value !== value) bucket.others = withValue(bucket.others, value, owner);
  }
  const shift = 32 - Math.min(26, Math.max(8, Math.ceil(Math.log2(buckets.size * bitsPerValue + 1))));
  const bits = new Uint32Array(2 ** (32 - shift - 5));
  for (const hash of buckets.keys()) {
    const bit = placeOf(hash, shift);
    bits[bit >>> 5] = (bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }
  const leaving = powerOf(width);

  function* find(text: string) {
    if (text.length < width || buckets.size === 0) return;
    let hash = hashOf(text, width);
    let free = 0;
    for (let start = 0; ; start += 1) {
      const bit = placeOf(hash, shift);
      if (((bits[bit >>> 5] as number) >>> (bit & 31)) & 1 && start >= free) {
        const found = valueAt(buckets.get(hash), text, start);
        if (found !== undefined) {
          free = found.end;
          yield found;
        }
      }
      const next = start + width;
      if (next >= text.length) return;
      hash = (Math.imul(hash, base) + text.charCodeAt(next) - Math.imul(text.charCodeAt(start), leaving)) | 0;
    }
  }
  return { find };
}

function withValue<Owner>(others: Others<Owner> | undefined, value: string, owner: Owner): Others<Owner> {
  const { owners, lengths } = others ?? { owners: new Map<string, Owner>(), lengths: [] };
  if (!owners.has(value)) owners.set(value, owner);
  if (lengths.includes(value.length)) return { owners, lengths };
  return { owners, lengths: [...lengths, value.length].toSorted((a, b) => b - a) };
}

/** The longest that begins there. */
function valueAt<Owner>(bucket: Bucket<Owner> | undefined, text: string, start: number) {
  if (bucket === undefined) return undefined;
  const { value: first, owner, others } = bucket;
  const isFirst = text.startsWith(first, start);
  for (const length of others?.lengths ?? []) {
    if (isFirst && length < first.length) break;
    const found = others?.owners.get(text.slice(start, start + length));
    if (found !== undefined) return { start, end: start + length, owner: found };
  }
  return isFirst ? { start, end: start + first.length, owner } : undefined;
}

function hashOf(text: string, width: number): number {
  let hash = 0;
  for (let at = 0; at < width; at += 1) hash = (Math.imul(hash, base) + text.charCodeAt(at)) | 0;
  return hash;
}

function powerOf(width: number): number {
  let power = 1;
  for (let count = 0; count < width; count += 1) power = Math.imul(power, base);
  return power;
}

/** The highest bits of a product: the lowest bits of a hash depend on the lowest bits of its characters alone. */
function placeOf(hash: number, shift: number): number {
  return Math.imul(hash, 0x9e37_79b1) >>> shift;
}
