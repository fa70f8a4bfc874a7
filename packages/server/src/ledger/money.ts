/** Money inside the service: whole minor units as bigint, never a float (spec D9). */

declare const minorBrand: unique symbol;

/** An amount in minor units of its currency (IDR 1.00 = 100n). */
export type Minor = bigint & { readonly [minorBrand]: true };

export const zero = 0n as Minor;

/** The largest amount one row may hold; PostgreSQL's bigint ends a little later. */
export const maxMinor = 9_000_000_000_000_000_000n as Minor;

/** A bigint read from a row or computed from amounts, as an amount. */
export function minor(value: bigint): Minor {
  return value as Minor;
}

/**
 * Reads decimal text with at most `scale` significant decimals as minor units.
 * Undefined when the text is no such number or too large for a row.
 */
export function parseMinor(text: string, scale: number): Minor | undefined {
  const match = /^(\d{1,20})(?:\.(\d+))?$/.exec(text);
  if (!match) return undefined;
  const decimals = match[2] ?? "";
  const kept = decimals.slice(0, scale).padEnd(scale, "0");
  if (/[^0]/.test(decimals.slice(scale))) return undefined;
  const value = BigInt(`${match[1]}${kept}`);
  return value > maxMinor ? undefined : (value as Minor);
}

/** Decimal text of an amount, always with `scale` decimals. */
export function formatMinor(amount: bigint, scale: number): string {
  const sign = amount < 0n ? "-" : "";
  const digits = (amount < 0n ? -amount : amount).toString().padStart(scale + 1, "0");
  if (scale === 0) return sign + digits;
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
