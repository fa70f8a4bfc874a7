/** The one rule for every text that travels: its length in code points and the characters it may not hold. */

/**
 * Whether a text has 1 to `max` Unicode code points, no control character (U+0000 to U+001F, U+007F) and no lone
 * surrogate. Control characters are refused because the ledger's SQL, logs and statements must never see them.
 */
export function isText(text: string, max: number): boolean {
  const units = text.length;
  if (units === 0 || units > max * 2) return false;
  let points = units;
  for (let i = 0; i < units; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || unit === 0x7f) return false;
    if (unit >= 0xd800 && unit <= 0xdfff) {
      if (unit > 0xdbff) return false;
      i += 1;
      const low = text.charCodeAt(i);
      if (!(low >= 0xdc00 && low <= 0xdfff)) return false;
      points -= 1;
    }
  }
  return points <= max;
}
