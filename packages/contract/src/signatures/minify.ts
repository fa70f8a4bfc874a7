/** White space of JSON at the level of bytes (spec D4): strings are untouched, nothing is parsed. */

const quote = 0x22;
const backslash = 0x5c;

/** Space, tab, line feed, carriage return: the white space of RFC 8259. */
export const isWhiteSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Index behind the closing quote of the string that starts at `start`, or the end when it is never closed. */
function skipString(bytes: Uint8Array, start: number): number {
  let i = start + 1;
  for (; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (byte === quote) return i + 1;
    if (byte === backslash) i += 1;
  }
  return bytes.length;
}

/** Index of the first white space outside strings at or behind `start`, or -1. */
function findOuterWhiteSpace(bytes: Uint8Array, start: number): number {
  let i = start;
  while (i < bytes.length) {
    const byte = bytes[i];
    if (byte === quote) i = skipString(bytes, i);
    else if (isWhiteSpace(byte)) return i;
    else i += 1;
  }
  return -1;
}

export function hasOuterWhitespace(bytes: Uint8Array): boolean {
  return findOuterWhiteSpace(bytes, 0) >= 0;
}

/**
 * The bytes without the white space outside strings; the same array when there is none. Order, escapes and the
 * spelling of numbers stay, so that everyone who minifies this way signs the same bytes.
 */
export function minify(bytes: Uint8Array): Uint8Array {
  const first = findOuterWhiteSpace(bytes, 0);
  if (first < 0) return bytes;
  const kept = new Uint8Array(bytes.length);
  kept.set(bytes.subarray(0, first));
  let length = first;
  // One loop over the bytes: a bulk has 8 MiB, and other calls wait for it.
  let isInString = false;
  for (let i = first; i < bytes.length; i += 1) {
    const byte = bytes[i] as number;
    if (!isInString && byte <= 0x20 && isWhiteSpace(byte)) continue;
    kept[length] = byte;
    length += 1;
    if (byte === quote) isInString = !isInString;
    else if (isInString && byte === backslash && i + 1 < bytes.length) {
      i += 1;
      kept[length] = bytes[i] as number;
      length += 1;
    }
  }
  return kept.subarray(0, length);
}
