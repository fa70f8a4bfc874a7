/** Sums of decimal texts, without ever becoming a floating-point number. */

const decimal = /^(-?)(\d+)(?:\.(\d+))?$/;

/** The sum with the decimals of the longer one. Undefined: one of them is no decimal text. */
export function addAmounts(one: string | undefined, other: string | undefined): string | undefined {
  const [left, right] = [decimal.exec(one ?? ""), decimal.exec(other ?? "")];
  if (!left || !right) return undefined;
  const places = Math.max(left[3]?.length ?? 0, right[3]?.length ?? 0);
  const sum = unitsOf(left, places) + unitsOf(right, places);
  const digits = String(sum < 0n ? -sum : sum).padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  return `${sum < 0n ? "-" : ""}${whole}${places === 0 ? "" : `.${digits.slice(-places)}`}`;
}

function unitsOf([, sign, whole = "", fraction = ""]: RegExpExecArray, places: number): bigint {
  const units = BigInt(whole + fraction.padEnd(places, "0"));
  return sign === "-" ? -units : units;
}

export const negated = (amount: string): string => (amount === "" ? "" : `-${amount}`);
