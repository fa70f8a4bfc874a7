/** A long run at a share of the peak: whether memory, tables and latency stay as they are. */
import { query } from "../database/databases.ts";
import { startLoadedDatabase } from "../load/start-loaded-database.ts";
import type { PartOptions } from "../part.ts";
import { summarize } from "../statistics.ts";
import type { Measured } from "../subject.ts";

export interface SoakOptions extends PartOptions {
  readonly soakMinutes: number;
}

/** One stretch of the run. */
export interface SoakSlice extends Measured {
  /** MiB of the node's process, and of its heap in use. */
  readonly rss: number;
  readonly heap: number;
  readonly tables: readonly TableSize[];
}

/** Of a table with its partitions. */
export interface TableSize {
  readonly name: string;
  /** With indexes. */
  readonly bytes: number;
  readonly rows: number;
  readonly deadRows: number;
}

export interface Soak {
  readonly peakPerSecond: number;
  /** Transfers accepted before the first slice. */
  readonly before: readonly TableSize[];
  readonly slices: readonly SoakSlice[];
}

const share = 0.7;
const sliceSeconds = 30;
const peakWindows = 3;
const callers = 256;
/** For what arrives while others wait. */
const connections = 512;

const tableSizes = `select coalesce(pg_partition_root(relid), relid)::regclass::text as name,
    sum(pg_total_relation_size(relid))::float8 as bytes, sum(n_live_tup)::float8 as rows, sum(n_dead_tup)::float8 as dead
  from pg_stat_user_tables group by 1 order by 2 desc`;

/**
 * The slices follow each other with a pause of less than a second, in which connections and requests are made anew.
 * @param onMeasured told what was measured before the audit begins
 */
export async function measureSoak(options: SoakOptions, onMeasured: (soak: Soak) => void): Promise<void> {
  const { cluster, accounts, seconds, warmUpSeconds, soakMinutes, onProgress } = options;
  onProgress("preparing the soak");
  await using loaded = await startLoadedDatabase({ cluster, database: "bench_soak", accounts, onProgress });
  const runPeak = (length: number) => loaded.run({ load: "uniform", callers, seconds: length });
  await runPeak(warmUpSeconds);
  const peaks: number[] = [];
  while (peaks.length < peakWindows) peaks.push((await runPeak(seconds)).perSecond);
  const peakPerSecond = summarize(peaks)?.median ?? 0;
  const perSecond = peakPerSecond * share;
  const window = {
    load: "uniform",
    callers: connections,
    seconds: sliceSeconds,
    perSecond,
    signsMeanwhile: true,
  } as const;
  const before = await readTables(loaded.url);
  const slices: SoakSlice[] = [];
  const count = Math.max(1, Math.round((soakMinutes * 60) / sliceSeconds));
  while (slices.length < count) {
    const measured = await loaded.run(window);
    const { rss, heap } = await loaded.service.setRails({ answerMs: 0 });
    slices.push({ ...measured, rss: rss.after, heap: heap.after, tables: await readTables(loaded.url) });
    const { p50Ms = 0, p99Ms = 0 } = measured;
    onProgress(
      `soak ${slices.length}/${count}  ${measured.perSecond.toFixed(0)}/s  p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms  RSS ${rss.after.toFixed(0)} MiB`,
    );
  }
  onMeasured({ peakPerSecond, before, slices });
}

async function readTables(url: string): Promise<readonly TableSize[]> {
  return (await query(url, tableSizes)).map((row) => ({
    name: String(row["name"]),
    bytes: Number(row["bytes"]),
    rows: Number(row["rows"]),
    deadRows: Number(row["dead"]),
  }));
}
