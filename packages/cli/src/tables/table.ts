/** Text tables: columns as wide as their widest cell, separated by two spaces. */

/** Headers by the key of the cells, in order. */
export type Columns<Row> = Readonly<Partial<Record<keyof Row & string, string>>>;

/** Headers, a rule, and one line per row. Cells are strings, numbers and lists; anything else is empty. */
export function formatTable<Row extends object>(columns: Columns<Row>, rows: readonly Row[]): string {
  const headers = Object.values<string | undefined>(columns).map((header) => header ?? "");
  const cells = rows.map((row) => {
    const byName = new Map<string, unknown>(Object.entries(row));
    return Object.keys(columns).map((key) => formatCell(byName.get(key)));
  });
  const widths = headers.map((header, column) =>
    Math.max(header.length, ...cells.map((line) => line[column]?.length ?? 0)),
  );
  const rule = widths.map((width) => "-".repeat(width));
  return [headers, rule, ...cells].map((line) => formatLine(line, widths)).join("\n");
}

function formatLine(line: readonly string[], widths: readonly number[]): string {
  return line
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join("  ")
    .trimEnd();
}

function formatCell(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
