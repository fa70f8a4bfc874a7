/** A run's figures as tables: rates, latencies and CPU by cell, then the ratios. */
import type { Cell } from "../plan.ts";
import type { Result } from "../run-rounds.ts";
import { summarize } from "../statistics.ts";
import { isTpcb, type Measured } from "../subject.ts";
import { formatFigure } from "./figures.ts";
import { judge } from "./judge.ts";
import { markdownTable } from "./markdown-table.ts";
import { peaksTable } from "./peaks-table.ts";
import { findRatios, type Ratio } from "./ratios.ts";
import { loadTitles, subjectTitles } from "./titles.ts";

const figures = [
  { title: "per second", of: ({ perSecond }) => perSecond },
  { title: "p50 ms", of: ({ p50Ms }) => p50Ms },
  { title: "p99 ms", of: ({ p99Ms }) => p99Ms },
  { title: "PostgreSQL us", of: ({ postgresUs }) => postgresUs },
  { title: "Node us", of: ({ nodeUs }) => nodeUs },
  { title: "generator us", of: ({ generatorUs }) => generatorUs },
  { title: "WAL bytes", of: ({ walBytes }) => walBytes },
  { title: "busy %", of: ({ busyShare }) => (busyShare === undefined ? undefined : busyShare * 100) },
  { title: "others %", of: ({ othersShare }) => (othersShare === undefined ? undefined : othersShare * 100) },
] as const satisfies readonly { title: string; of: (window: Measured) => number | undefined }[];

/** Says which rows have windows that stayed disturbed after all tries; empty where there are none. */
export function writeDisturbed(results: readonly Result[], othersMost: number): string {
  const rows = results.flatMap(({ cell, windows }) => {
    const count = windows.filter(({ othersShare = 0 }) => othersShare > othersMost).length;
    return count === 0 ? [] : [`- ${titleOf(cell)}, ${cell.callers} callers: ${count} of ${windows.length} windows`];
  });
  if (rows.length === 0) return "";
  const share = (othersMost * 100).toFixed(0);
  return [`## DISTURBED: other processes took more than ${share} % after every try`, rows.join("\n")].join("\n\n");
}

export function writeReport(results: readonly Result[]): string {
  const levels = [...new Set(results.map(({ cell }) => cell.callers))];
  const parts = levels.flatMap((callers) => {
    const own = results.filter(({ cell }) => cell.callers === callers);
    const title = `${callers} concurrent ${callers === 1 ? "caller" : "callers"}: medians, least and most of the rounds`;
    return [`## ${title}`, figuresTable(own), peaksTable(own), ratiosTable(findRatios(results, callers))];
  });
  return parts.filter((part) => part !== "").join("\n\n");
}

function figuresTable(results: readonly Result[]): string {
  const head = ["calls", ...figures.map(({ title }) => title)];
  const rows = results.map(({ cell, windows }) => [
    titleOf(cell),
    ...figures.map(({ of }, column) => formatFigure(summarize(windows.map(of)), column === 0)),
  ]);
  return markdownTable(head, rows);
}

function titleOf({ subject, load }: Cell): string {
  return isTpcb(subject) ? subjectTitles[subject] : `${subjectTitles[subject]}, ${loadTitles[load]}`;
}

function ratiosTable(ratios: readonly Ratio[]): string {
  if (ratios.length === 0) return "";
  const rows = ratios.map(({ name, value, asked }) => [
    name,
    value.median.toFixed(2),
    `${value.least.toFixed(2)} - ${value.most.toFixed(2)}`,
    asked === undefined ? "" : judge(value.median, asked),
  ]);
  return markdownTable(["ratio within a round", "median", "least - most", "asked"], rows);
}
