/** Tables of figures: one row a thing that was measured in several rounds. */
import { summarize } from "../statistics.ts";
import { formatFigure } from "./figures.ts";
import { markdownTable } from "./markdown-table.ts";
import type { Measured } from "../subject.ts";

export interface Column<Round> {
  readonly title: string;
  readonly of: (round: Round) => number | undefined;
  /** True: least and most stand behind the median. */
  readonly withSpread?: boolean;
}

/** Columns of every window. */
export const measuredColumns = {
  rate: { title: "a second", of: ({ perSecond }) => perSecond, withSpread: true },
  p50: { title: "p50 ms", of: ({ p50Ms }) => p50Ms },
  p99: { title: "p99 ms", of: ({ p99Ms }) => p99Ms },
  postgres: { title: "PostgreSQL us", of: ({ postgresUs }) => postgresUs },
  node: { title: "Node us", of: ({ nodeUs }) => nodeUs },
  wal: { title: "WAL bytes", of: ({ walBytes }) => walBytes },
  others: { title: "others %", of: ({ othersShare }) => othersShare && othersShare * 100 },
} as const satisfies Record<string, Column<Measured>>;

/** Medians of the rounds. */
export function figuresTable<Round>(
  title: string,
  columns: readonly Column<Round>[],
  rows: readonly (readonly [string, readonly Round[]])[],
): string {
  return markdownTable(
    [title, ...columns.map((column) => column.title)],
    rows.map(([name, rounds]) => [
      name,
      ...columns.map(({ of, withSpread = false }) => formatFigure(summarize(rounds.map(of)), withSpread)),
    ]),
  );
}

/** Ratio of two figures of one round; undefined where one is missing. */
export function divide(over: number | undefined, under: number | undefined): number | undefined {
  return over === undefined || !under ? undefined : over / under;
}
