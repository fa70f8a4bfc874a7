/** The one rule for every text that travels: its length in code points and the characters it may not hold. */

/**
 * True for a text of 1 to `max` Unicode code points, one of them no white space, and none that shows as something else
 * or as nothing: control characters, bidirectional controls, non-characters, lone surrogates. The ledger's SQL, logs,
 * statements and readers of a page must never see them (spec D5).
 */
export function isText(text: string, max: number): boolean {
  const units = text.length;
  if (units === 0 || units > max * 2) return false;
  let points = units;
  let isBlank = true;
  for (let i = 0; i < units; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit > 0x20 && unit < 0x7f) {
      isBlank = false;
    } else if (unit >= 0xd800 && unit <= 0xdfff) {
      i += 1;
      if (!isPair(unit, text.charCodeAt(i))) return false;
      isBlank = false;
      points -= 1;
    } else {
      if (isForbidden(unit)) return false;
      isBlank &&= /\s/.test(String.fromCharCode(unit));
    }
  }
  return !isBlank && points <= max;
}

/** True for a forbidden code unit that is no surrogate: controls (Cc), Bidi_Control, Noncharacter_Code_Point. */
function isForbidden(unit: number): boolean {
  if (unit < 0x20 || (unit >= 0x7f && unit <= 0x9f)) return true;
  if (unit < 0x61c) return false;
  if (unit === 0x61c || unit === 0x200e || unit === 0x200f) return true;
  if ((unit >= 0x202a && unit <= 0x202e) || (unit >= 0x2066 && unit <= 0x2069)) return true;
  return (unit >= 0xfdd0 && unit <= 0xfdef) || unit >= 0xfffe;
}

/** True for two code units that are one character; the last two code points of each plane are none. */
function isPair(high: number, low: number): boolean {
  if (high > 0xdbff || !(low >= 0xdc00 && low <= 0xdfff)) return false;
  return (high & 0x3f) !== 0x3f || low < 0xdffe;
}
