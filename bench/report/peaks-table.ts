/** What waited at most in any round: whether queues stay bounded. */
import type { Result } from "../run-rounds.ts";
import type { Peaks } from "../subject.ts";
import { markdownTable } from "./markdown-table.ts";
import { loadTitles, subjectTitles } from "./titles.ts";

const columns = [
  { title: "callers' queue", of: ({ callers }) => callers },
  { title: "jobs' queue", of: ({ jobs }) => jobs },
  { title: "transfers under way", of: ({ transfers }) => transfers },
] as const satisfies readonly { title: string; of: (peaks: Peaks) => number }[];

/** Of those that tell; empty where none does. */
export function peaksTable(results: readonly Result[]): string {
  const rows = results.flatMap(({ cell, windows }) => {
    const peaks = windows.flatMap((window) => window.peaks ?? []);
    if (peaks.length === 0) return [];
    const title = `${subjectTitles[cell.subject]}, ${loadTitles[cell.load]}`;
    return [[title, ...columns.map(({ of }) => String(Math.max(...peaks.map(of))))]];
  });
  return rows.length === 0 ? "" : markdownTable(["most at once", ...columns.map(({ title }) => title)], rows);
}
