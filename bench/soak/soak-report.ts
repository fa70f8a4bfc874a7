/** The soak in ten parts, and the tables before and after it. */
import { formatFigure } from "../report/figures.ts";
import { markdownTable } from "../report/markdown-table.ts";
import { summarize } from "../statistics.ts";
import type { Soak, SoakSlice, TableSize } from "./measure-soak.ts";

const partsMost = 10;
const mebibyte = 1_048_576;
/** Smaller tables are left out. */
const bytesLeast = mebibyte;

const columns: readonly { readonly title: string; readonly of: (slice: SoakSlice) => number | undefined }[] = [
  { title: "a second", of: ({ perSecond }) => perSecond },
  { title: "p50 ms", of: ({ p50Ms }) => p50Ms },
  { title: "p99 ms", of: ({ p99Ms }) => p99Ms },
  { title: "PostgreSQL us", of: ({ postgresUs }) => postgresUs },
  { title: "Node us", of: ({ nodeUs }) => nodeUs },
  { title: "WAL bytes", of: ({ walBytes }) => walBytes },
  { title: "RSS MiB", of: ({ rss }) => rss },
  { title: "heap MiB", of: ({ heap }) => heap },
  { title: "others %", of: ({ othersShare }) => othersShare && othersShare * 100 },
];

export function writeSoakReport({ peakPerSecond, before, slices }: Soak): string {
  const size = Math.ceil(slices.length / partsMost);
  const parts = Array.from({ length: Math.ceil(slices.length / size) }, (_, part) =>
    slices.slice(part * size, (part + 1) * size),
  );
  const rows = parts.map((part, position) => [
    `${position + 1}/${parts.length}`,
    ...columns.map(({ of }) => formatFigure(summarize(part.map(of)), false)),
  ]);
  return [
    `## Soak at 70 % of the peak of ${peakPerSecond.toFixed(0)} a second: medians of its parts`,
    markdownTable(["part", ...columns.map(({ title }) => title)], rows),
    tablesTable(before, slices),
  ].join("\n\n");
}

/** Growth a transfer says what the history costs; dead rows say what vacuum has left. */
function tablesTable(before: readonly TableSize[], slices: readonly SoakSlice[]): string {
  const transfers = slices.reduce((sum, { done }) => sum + done, 0);
  const after = slices.at(-1)?.tables ?? [];
  const rows = after
    .filter(({ bytes }) => bytes >= bytesLeast)
    .map(({ name, bytes, rows: live, deadRows }) => {
      const start = before.find((table) => table.name === name)?.bytes ?? 0;
      return [
        name,
        (start / mebibyte).toFixed(1),
        (bytes / mebibyte).toFixed(1),
        ((bytes - start) / transfers).toFixed(0),
        live.toLocaleString("en"),
        deadRows.toLocaleString("en"),
      ];
    });
  const head = ["table, with indexes", "MiB before", "MiB after", "bytes a transfer", "rows", "dead rows"];
  return markdownTable(head, rows);
}
