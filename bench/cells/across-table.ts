/** Figures of transfers across two cells beside those within one, of the same rounds. */
import { type Column, divide } from "../report/figures-table.ts";
import { formatFigure } from "../report/figures.ts";
import { markdownTable } from "../report/markdown-table.ts";
import { summarize } from "../statistics.ts";

export interface AcrossRow<Window> {
  readonly title: string;
  /** One a round. */
  readonly within: readonly Window[];
  readonly across: readonly Window[];
}

/** Medians of the rounds, and of their ratios, with least and most. */
export function acrossTable<Window>(
  columns: readonly Column<Window>[],
  measured: readonly AcrossRow<Window>[],
): string {
  const rows = measured.flatMap(({ title, within, across }) =>
    columns.map((column) => {
      const ratios = across.map((one, round) => {
        const other = within[round];
        return other && divide(column.of(one), column.of(other));
      });
      const figures = [within.map(column.of), across.map(column.of), ratios];
      return [`${title}: ${column.title}`, ...figures.map((values) => formatFigure(summarize(values), true))];
    }),
  );
  return markdownTable(["a transfer", "within", "across", "across / within"], rows);
}
