/** Text tables: columns as wide as their widest cell, separated by two spaces; in a terminal never wider than it is. */
import { groupDigits } from "./group-digits.ts";
import { type LaidOut, layOut, type Place } from "./layout.ts";
import { paint, toneOf } from "./colours.ts";

/** Header of a column of amounts, which stand to the right with their digits grouped. */
interface AmountHeader {
  readonly amounts: string;
}

export const amountColumn = (header: string): AmountHeader => ({ amounts: header });

/** Headers by the key of the cells, in order. */
export type Columns<Row> = Readonly<Partial<Record<keyof Row & string, string | AmountHeader>>>;

/**
 * Headers, a rule, and one line per row. Cells are strings, numbers and lists; anything else is empty. Columns that do not fit
 * the width stand below the others, indented, and texts go on in the next line: nothing is cut off.
 */
export function formatTable<Row extends object>(
  columns: Columns<Row>,
  rows: readonly Row[],
  width = widthOfTerminal(),
): string {
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
  const places = shown.map(({ key, header, isAmount }, column): Place => {
    const texts = [header, ...cells.map((line) => line[column] ?? "")];
    return { key, isAmount, width: Math.max(...texts.map(({ length }) => length)) };
  });
  const layout = layOut(places, width);
  const [first] = layout;
  const rule = (first?.places ?? []).map((place) => "-".repeat(place.width)).join("  ");
  const head = formatRow(
    layout,
    shown.map(({ header }) => header),
  ).map((line) => paint("head", line));
  const body = cells.flatMap((line) => formatRow(layout, line, toneOf));
  return [...head, paint("rule", rule), ...body].join("\n");
}

type ToneOf = typeof toneOf;

/** One line for each part of the layout, and more where a text goes on. */
function formatRow(layout: readonly LaidOut[], cells: readonly string[], tone?: ToneOf): readonly string[] {
  return layout.flatMap(({ places, indent, from }) => {
    const wrapped = places.map(({ width }, column) => wrap(cells[from + column] ?? "", width));
    const height = Math.max(...wrapped.map(({ length }) => length));
    const lines = Array.from({ length: height }, (_, line) =>
      places
        .map(({ key, width, isAmount }, column) => {
          const text = wrapped[column]?.[line] ?? "";
          const isLast = column === places.length - 1;
          const spaces = " ".repeat(Math.max(0, width - text.length));
          const painted = tone === undefined ? text : paint(tone(key, text), text);
          return isAmount ? `${spaces}${painted}` : `${painted}${isLast ? "" : spaces}`;
        })
        .join("  ")
        .trimEnd(),
    );
    // A part of which nothing is filled takes no line.
    const isEmpty = from > 0 && lines.every((line) => line === "");
    return isEmpty ? [] : lines.map((line) => `${" ".repeat(indent)}${line}`.trimEnd());
  });
}

/** Lines of words; a word that is longer than the width stays whole. */
function wrap(text: string, width: number): readonly string[] {
  if (text.length <= width) return [text];
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Where nobody looks, such as in a pipe, a row stays on one line. */
export function widthOfTerminal(): number {
  return process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
}

function formatCell(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
