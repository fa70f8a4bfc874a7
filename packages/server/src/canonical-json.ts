/**
 * JSON as bodies of ours are signed (spec D14): compact, the keys of every object in one order, a number as it was spelled. A
 * receiver that parses such a text into sorted maps and writes it again gets the same bytes.
 */

declare global {
  // ECMAScript proposal "JSON.parse source text access", in every release of Node.js that runs the server.
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/** Parses JSON. A number that would not be written as it is spelled (1.0, 1e400, 12345678901234567890) keeps its text. */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text, (_key, value, { source = "" }) =>
    typeof value === "number" && String(value) !== source ? JSON.rawJSON(source) : value,
  );
}

/** JSON of a value, which may be of `parseExactJson`. Integer-like keys stand first, as in every object of JavaScript. */
export function writeCanonicalJson(value: unknown): string {
  return JSON.stringify(sortKeys(value));
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null || JSON.isRawJSON(value)) return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  const members = Object.entries(value).sort(([a], [b]) => compareUtf8(a, b));
  return Object.fromEntries(members.map(([key, member]) => [key, sortKeys(member)]));
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
