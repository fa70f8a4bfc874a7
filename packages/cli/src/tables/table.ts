/** Text tables: columns as wide as their widest cell, separated by two spaces. */
import { groupDigits } from "./group-digits.ts";

/** Header of a column of amounts, which stand to the right with their digits grouped. */
interface AmountHeader {
  readonly amounts: string;
}

export const amountColumn = (header: string): AmountHeader => ({ amounts: header });

/** Headers by the key of the cells, in order. */
export type Columns<Row> = Readonly<Partial<Record<keyof Row & string, string | AmountHeader>>>;

/** Headers, a rule, and one line per row. Cells are strings, numbers and lists; anything else is empty. */
export function formatTable<Row extends object>(columns: Columns<Row>, rows: readonly Row[]): string {
  const shown = Object.entries<string | AmountHeader | undefined>(columns).map(([key, header = ""]) =>
    typeof header === "string" ? { key, header, isAmount: false } : { key, header: header.amounts, isAmount: true },
  );
  const cells = rows.map((row) => {
    const byName = new Map<string, unknown>(Object.entries(row));
    return shown.map(({ key, isAmount }) => {
      const text = formatCell(byName.get(key));
      return isAmount ? groupDigits(text) : text;
    });
  });
  const places = shown.map(({ header, isAmount }, column) => ({
    isAmount,
    width: Math.max(header.length, ...cells.map((line) => line[column]?.length ?? 0)),
  }));
  const rule = places.map(({ width }) => "-".repeat(width));
  return [shown.map(({ header }) => header), rule, ...cells].map((line) => formatLine(line, places)).join("\n");
}

function formatLine(
  line: readonly string[],
  places: readonly { readonly width: number; readonly isAmount: boolean }[],
): string {
  return places
    .map(({ width, isAmount }, column) => {
      const cell = line[column] ?? "";
      return isAmount ? cell.padStart(width) : cell.padEnd(width);
    })
    .join("  ")
    .trimEnd();
}

function formatCell(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
