/** A run's figures as tables: rates, latencies and CPU by cell, then the ratios. */
import type { Result } from "../run-rounds.ts";
import { summarize } from "../statistics.ts";
import { isTpcb, type Measured } from "../subject.ts";
import { formatFigure } from "./figures.ts";
import { markdownTable } from "./markdown-table.ts";
import { peaksTable } from "./peaks-table.ts";
import { type Asked, findRatios, type Ratio } from "./ratios.ts";
import { loadTitles, subjectTitles } from "./titles.ts";

const figures = [
  { title: "per second", of: ({ perSecond }) => perSecond },
  { title: "p50 ms", of: ({ p50Ms }) => p50Ms },
  { title: "p99 ms", of: ({ p99Ms }) => p99Ms },
  { title: "PostgreSQL us", of: ({ postgresUs }) => postgresUs },
  { title: "Node us", of: ({ nodeUs }) => nodeUs },
  { title: "generator us", of: ({ generatorUs }) => generatorUs },
  { title: "others %", of: ({ othersShare }) => (othersShare === undefined ? undefined : othersShare * 100) },
] as const satisfies readonly { title: string; of: (window: Measured) => number | undefined }[];

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
    isTpcb(cell.subject) ? subjectTitles[cell.subject] : `${subjectTitles[cell.subject]}, ${loadTitles[cell.load]}`,
    ...figures.map(({ of }, column) => formatFigure(summarize(windows.map(of)), column === 0)),
  ]);
  return markdownTable(head, rows);
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

function judge(median: number, asked: Asked): string {
  const [bound, isMet] =
    "least" in asked
      ? [`at least ${asked.least}`, median >= asked.least]
      : [`at most ${asked.most}`, median <= asked.most];
  return `${bound} ${isMet ? "met" : "MISSED"}`;
}
