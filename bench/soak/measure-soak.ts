/** A long run at a share of the peak, of calls that arrive at random: whether memory, tables and latency stay as they are. */
import { query } from "../database/databases.ts";
import { startLoaded } from "../load/start-loaded.ts";
import type { NodeState } from "../load/watch-node.ts";
import type { MeasurePart } from "../parts.ts";
import { type Column, figuresTable, measuredColumns } from "../report/figures-table.ts";
import { markdownTable } from "../report/markdown-table.ts";
import { summarize } from "../statistics.ts";
import type { Measured } from "../subject.ts";

/** One stretch of the run. */
interface Slice extends Measured, NodeState {}

/** Sizes of a table with its partitions, by its name. */
type TableSizes = ReadonlyMap<string, { readonly bytes: number; readonly rows: number; readonly deadRows: number }>;

const share = 0.7;
const sliceSeconds = 30;
const peakWindows = 3;
const callers = 256;
/** For what arrives while others wait. */
const connections = 512;
const partsMost = 10;
const mebibyte = 1_048_576;

const tableSizes = `select coalesce(pg_partition_root(relid), relid)::regclass::text as name,
    sum(pg_total_relation_size(relid))::float8 as bytes, sum(n_live_tup)::float8 as rows, sum(n_dead_tup)::float8 as dead
  from pg_stat_user_tables group by 1 order by 2 desc`;

/** The slices follow each other with a pause of less than a second, in which connections are made anew. */
export const measureSoak: MeasurePart = async (options, publish) => {
  const { seconds, warmUpSeconds, soakMinutes, onProgress } = options;
  onProgress("preparing the soak");
  await using loaded = await startLoaded({ ...options, database: "bench_soak" });
  const runPeak = (length: number) => loaded.run({ load: "uniform", callers, seconds: length });
  await runPeak(warmUpSeconds);
  const peaks: number[] = [];
  while (peaks.length < peakWindows) peaks.push((await runPeak(seconds)).perSecond);
  const peak = summarize(peaks)?.median ?? 0;
  const before = await readTables(loaded.url);
  const slices: Slice[] = [];
  const count = Math.max(1, Math.round((soakMinutes * 60) / sliceSeconds));
  while (slices.length < count) {
    const window = { load: "uniform", callers: connections, seconds: sliceSeconds, perSecond: peak * share } as const;
    const slice = { ...(await loaded.run(window)), ...(await loaded.watch(false)) };
    slices.push(slice);
    const { perSecond, p50Ms = 0, p99Ms = 0, rss } = slice;
    onProgress(
      `soak ${slices.length}/${count}  ${perSecond.toFixed(0)}/s  p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms  RSS ${rss.toFixed(0)} MiB`,
    );
  }
  const after = await readTables(loaded.url);
  const transfers = slices.reduce((sum, { done }) => sum + done, 0);
  const report = [
    `## Soak at ${share * 100} % of the peak of ${peak.toFixed(0)} a second: medians of its parts`,
    slicesTable(slices),
    tablesTable(before, after, transfers),
  ].join("\n\n");
  const tables = { before: Object.fromEntries(before), after: Object.fromEntries(after) };
  publish({ report, figures: { soak: { peak, slices, tables } } });
};

async function readTables(url: string): Promise<TableSizes> {
  const number = (value: unknown) => Number(value);
  return new Map(
    (await query(url, tableSizes)).map((row) => [
      String(row["name"]),
      { bytes: number(row["bytes"]), rows: number(row["rows"]), deadRows: number(row["dead"]) },
    ]),
  );
}

function slicesTable(slices: readonly Slice[]): string {
  const { rate, p50, p99, postgres, node, wal, others } = measuredColumns;
  const columns: readonly Column<Slice>[] = [
    rate,
    p50,
    p99,
    postgres,
    node,
    wal,
    { title: "RSS MiB", of: ({ rss }) => rss },
    { title: "heap MiB", of: ({ heap }) => heap },
    others,
  ];
  const size = Math.ceil(slices.length / partsMost);
  const parts = Array.from({ length: Math.ceil(slices.length / size) }, (_, part) =>
    slices.slice(part * size, (part + 1) * size),
  );
  return figuresTable(
    "part",
    columns,
    parts.map((part, position) => [`${position + 1}/${parts.length}`, part] as const),
  );
}

/** Growth a transfer says what the history costs; dead rows say what vacuum has left. */
function tablesTable(before: TableSizes, after: TableSizes, transfers: number): string {
  const rows = [...after]
    .filter(([, { bytes }]) => bytes >= mebibyte)
    .map(([name, { bytes, rows: live, deadRows }]) => {
      const start = before.get(name)?.bytes ?? 0;
      const [from, to] = [start, bytes].map((size) => (size / mebibyte).toFixed(1));
      const each = ((bytes - start) / transfers).toFixed(0);
      return [name, from ?? "", to ?? "", each, live.toLocaleString("en"), deadRows.toLocaleString("en")];
    });
  const head = ["table, with indexes", "MiB before", "MiB after", "bytes a transfer", "rows", "dead rows"];
  return markdownTable(head, rows);
}
