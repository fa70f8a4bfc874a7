/** A run's bulks (20) as tables: what each cell took, then the comparisons within a round. */
import { formatFigure } from "../report/figures.ts";
import { markdownTable } from "../report/markdown-table.ts";
import { type Spreaded, summarize } from "../statistics.ts";
import type { Measured, MemoryUse } from "../subject.ts";
import {
  type BulkCell,
  bulkCells,
  type BulkRound,
  type BulkWindow,
  intrabankCallers,
  singlesCallers,
} from "./bulk-cells.ts";

/** `atLeast`, `atMost`: what the median is asked to be. */
export interface BulkComparison {
  readonly name: string;
  readonly value: Spreaded;
  readonly atLeast?: number;
  readonly atMost?: number;
}

interface Comparing extends Omit<BulkComparison, "value"> {
  readonly of: (round: BulkRound) => number | undefined;
}

const most = (values: readonly number[]) => Math.max(...values);
const singlesTitle = `interbank transfers (18), ${singlesCallers} callers`;
const callersTitle = `intrabank transfers (17), ${intrabankCallers} callers, during ten bulks / before`;

const rate = (name: BulkCell["name"], atLeast?: number): Comparing => ({
  name: `items a second, ${titleOf(name)} / ${singlesTitle}`,
  of: ({ cells, singles }) => cells[name].items.perSecond / singles.perSecond,
  ...(atLeast !== undefined && { atLeast }),
});

const callers = (name: string, figure: (window: Measured) => number | undefined, atMost?: number): Comparing => ({
  name: `${name}, ${callersTitle}`,
  of: ({ cells }) => {
    const { before, during } = cells.ten.callers ?? {};
    const [under, over] = [before && figure(before), during && summarize(during.map(figure))?.median];
    return over === undefined || under === undefined ? undefined : over / under;
  },
  ...(atMost !== undefined && { atMost }),
});

const comparisons: readonly Comparing[] = [
  rate("one"),
  rate("three", 1.5),
  {
    name: `CPU of all processes: ${singlesTitle} / an item, ${titleOf("three")}`,
    of: ({ cells, singles }) => divide(cpuOf(singles), cpuOf(cells.three.items)),
  },
  { name: "ms to accept one", of: ({ cells }) => most(cells.one.acceptedMs), atMost: 2_000 },
  { name: "ms to accept one, large items", of: ({ cells }) => most(cells.oneLarge.acceptedMs), atMost: 2_000 },
  callers("p50", ({ p50Ms }) => p50Ms),
  callers("p99", ({ p99Ms }) => p99Ms, 3),
  callers("calls a second", ({ perSecond }) => perSecond),
];

export function compareBulks(rounds: readonly BulkRound[]): readonly BulkComparison[] {
  return comparisons.flatMap(({ of, ...comparison }) => {
    const value = summarize(rounds.map(of));
    return value === undefined ? [] : [{ ...comparison, value }];
  });
}

const columns = [
  { title: "items a second", of: ({ items }) => items.perSecond, withSpread: true },
  { title: "last accepted, ms", of: ({ acceptedMs }) => most(acceptedMs) },
  { title: "PostgreSQL us", of: ({ items, callers: others }) => (others ? undefined : items.postgresUs) },
  { title: "Node us", of: ({ items, callers: others }) => (others ? undefined : items.nodeUs) },
  { title: "longest block, ms", of: ({ peaks }) => peaks.longestBlockMs },
  { title: "others %", of: ({ items: { othersShare } }) => othersShare && othersShare * 100 },
] as const satisfies readonly Column[];

interface Column {
  readonly title: string;
  readonly of: (window: BulkWindow) => number | undefined;
  readonly withSpread?: boolean;
}

/** `items`: of each bulk. */
export function writeBulkReport(rounds: readonly BulkRound[], items: number): string {
  const title = `## Bulks (20) of ${items.toLocaleString("en")} items: medians, least and most of the rounds`;
  const rows = bulkCells.map(({ name, title: cell }) => {
    const windows = rounds.map(({ cells }) => cells[name]);
    const figures = (columns as readonly Column[]).map(({ of, withSpread = false }) =>
      formatFigure(summarize(windows.map(of)), withSpread),
    );
    return [
      cell,
      ...figures,
      ...[windows.map(({ peaks }) => peaks.rss), windows.map(({ peaks }) => peaks.heap)].map(formatUse),
    ];
  });
  const head = ["bulks", ...columns.map((column) => column.title), "RSS, MiB", "heap, MiB"];
  const legend = "Memory of the node: before / most / after, garbage collected before and after.";
  return [title, markdownTable(head, rows), legend, callersTable(rounds), comparisonTable(compareBulks(rounds))].join(
    "\n\n",
  );
}

function callersTable(rounds: readonly BulkRound[]): string {
  const windows = rounds.flatMap(({ cells }) => cells.ten.callers ?? []);
  const row = (title: string, of: readonly Measured[]) => [
    title,
    formatFigure(summarize(of.map(({ perSecond }) => perSecond)), true),
    formatFigure(summarize(of.map(({ p50Ms }) => p50Ms)), true),
    formatFigure(summarize(of.map(({ p99Ms }) => p99Ms)), true),
  ];
  const rows = [
    row(
      singlesTitle,
      rounds.map(({ singles }) => singles),
    ),
    row(
      `intrabank transfers (17), ${intrabankCallers} callers`,
      windows.map(({ before }) => before),
    ),
    row(
      "the same during ten bulks",
      windows.flatMap(({ during }) => during),
    ),
  ];
  return markdownTable(["calls", "a second", "p50 ms", "p99 ms"], rows);
}

function comparisonTable(all: readonly BulkComparison[]): string {
  const rows = all.map(({ name, value, atLeast, atMost }) => [
    name,
    formatFigure(value, true),
    verdict(value, atLeast, atMost),
  ]);
  return markdownTable(["within a round", "median (least - most)", "asked"], rows);
}

function verdict({ median }: Spreaded, atLeast: number | undefined, atMost: number | undefined): string {
  if (atLeast !== undefined) return `at least ${atLeast} ${median >= atLeast ? "met" : "MISSED"}`;
  if (atMost !== undefined) return `at most ${atMost.toLocaleString("en")} ${median <= atMost ? "met" : "MISSED"}`;
  return "";
}

function formatUse(uses: readonly MemoryUse[]): string {
  const figure = (of: (use: MemoryUse) => number) => (summarize(uses.map(of))?.median ?? 0).toFixed(0);
  return [figure(({ before }) => before), figure((use) => use.most), figure(({ after }) => after)].join(" / ");
}

function titleOf(name: BulkCell["name"]): string {
  return `bulks, ${bulkCells.find((cell) => cell.name === name)?.title}`;
}

function cpuOf({ postgresUs, nodeUs = 0, generatorUs = 0 }: Measured): number | undefined {
  return postgresUs === undefined ? undefined : postgresUs + nodeUs + generatorUs;
}

function divide(over: number | undefined, under: number | undefined): number | undefined {
  return over === undefined || !under ? undefined : over / under;
}
