/** One JSON string in bytes: where it ends, and whether its escapes make whole characters. */

const quote = 0x22;
const backslash = 0x5c;
const letterU = 0x75;

/** Value of a hex digit, or NaN. */
function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return Number.NaN;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : Number.NaN;
}

/** The code unit of `\uXXXX` at `i`, or NaN when there is no such escape. */
function unitAt(bytes: Uint8Array, i: number): number {
  if (bytes[i] !== backslash || bytes[i + 1] !== letterU) return Number.NaN;
  const high = hexDigit(bytes[i + 2]) * 4096 + hexDigit(bytes[i + 3]) * 256;
  return high + hexDigit(bytes[i + 4]) * 16 + hexDigit(bytes[i + 5]);
}

/** Index behind the escape at `i`, or 0 when it is half a surrogate pair. Other faults are left to `JSON.parse`. */
function skipEscape(bytes: Uint8Array, i: number): number {
  const unit = unitAt(bytes, i);
  if (!(unit >= 0xd800 && unit <= 0xdfff)) return i + 2;
  const low = unitAt(bytes, i + 6);
  return unit <= 0xdbff && low >= 0xdc00 && low <= 0xdfff ? i + 12 : 0;
}

/**
 * Index behind the closing quote of the string that starts at `start`; negative when the string holds escapes,
 * 0 when one of them is a lone surrogate. A string that is never closed ends with the bytes.
 */
export function skipString(bytes: Uint8Array, start: number): number {
  const length = bytes.length;
  let hasEscapes = false;
  let i = start + 1;
  while (i < length) {
    const byte = bytes[i];
    if (byte === quote) return hasEscapes ? -i - 1 : i + 1;
    if (byte === backslash) {
      hasEscapes = true;
      i = skipEscape(bytes, i);
      if (i === 0) return 0;
    } else {
      i += 1;
    }
  }
  return length;
}
