/** Totals of listed rows for `--json`: how many there are, and the sums of their amounts in each currency. */
import { formatMinor } from "@titian/server/admin";
import { formatJson } from "../output.ts";

export interface Totals {
  readonly count: number;
  /** By currency, then by the member of the rows; absent where rows have no amounts. */
  readonly amounts?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The answer as it is, with the totals of the rows in it: of this page, not of what comes after it. */
export function formatList<Row extends object>(
  answer: object,
  rows: readonly Row[],
  amounts: readonly (keyof Row & string)[] = [],
): string {
  return formatJson({ ...answer, totals: totalsOf(rows, amounts) });
}

export function totalsOf<Row extends object>(rows: readonly Row[], amounts: readonly (keyof Row & string)[]): Totals {
  const count = rows.length;
  if (amounts.length === 0) return { count };
  const byCurrency = Map.groupBy(rows, (row) => ("currency" in row ? String(row.currency) : ""));
  const sums = [...byCurrency].map(([currency, ofCurrency]) => {
    const ofMembers = amounts.map((name) => [name, sumOf(ofCurrency.map((row) => row[name]))] as const);
    return [currency, Object.fromEntries(ofMembers)] as const;
  });
  return { count, amounts: Object.fromEntries(sums) };
}

/** Texts of one currency have the same decimals; an amount that is left out counts nothing. */
function sumOf(values: readonly unknown[]): string {
  const texts = values.filter((value) => typeof value === "string");
  const scale = texts[0]?.split(".")[1]?.length ?? 0;
  const sum = texts.reduce((total, text) => total + BigInt(text.replace(".", "")), 0n);
  return formatMinor(sum, scale);
}
