/** Amounts as people write them, in English and in Indonesian. */

const written = /^(?:(?:rp\.?|idr)\s*)?(\d{1,3}(?:\.\d{3})+|\d{1,3}(?:,\d{3})+|\d+)(?:[.,](\d{1,2}))?$/i;

/**
 * The decimal text: `Rp 250.000`, `250,000` and `250000` are `250000`; `250.000,00` and `250,000.00` are `250000.00`.
 * Undefined: it is no amount.
 */
export function readWrittenAmount(text: string): string | undefined {
  const [, whole = "", decimals] = written.exec(text.trim()) ?? [];
  const digits = whole.replaceAll(/[.,]/g, "");
  if (digits === "") return undefined;
  return decimals === undefined ? digits : `${digits}.${decimals}`;
}
