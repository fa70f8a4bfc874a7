/**
 * Bulks (20) end to end: accepted over HTTP, carried by a rail of 0 ms and recorded, beside interbank transfers (18) on the
 * same rail, and what they cost callers of intrabank transfers (17).
 */
import type { Loaded } from "../load/start-loaded.ts";
import { startLoaded } from "../load/start-loaded.ts";
import type { NodeState } from "../load/watch-node.ts";
import type { MeasurePart, PartOptions } from "../parts.ts";
import { type Column, divide, figuresTable, measuredColumns } from "../report/figures-table.ts";
import { rotate } from "../run-rounds.ts";
import { allCpuUs, type Load, type Measured } from "../subject.ts";
import { measure } from "../subjects/measure.ts";
import { summarize } from "../statistics.ts";
import { makeBulkRequests } from "./bulk-requests.ts";
import { sendBulks, waitUntilSettled } from "./send-bulks.ts";

interface Cell {
  readonly title: string;
  /** Sent at once. */
  readonly bulks: number;
  readonly itemBytes: number;
  /** True: callers make intrabank transfers (17) meanwhile. */
  readonly withCallers: boolean;
}

/** Length of an item with its mandatory fields: 10,000 are 1.8 MB. */
const itemBytes = 180;
/** With additional information: 10,000, and what they share, are just below 8 MiB, the default TITIAN_BULK_BODY_LIMIT. */
const largeItemBytes = 837;
const cells: readonly Cell[] = [
  { title: "one", bulks: 1, itemBytes, withCallers: false },
  { title: "one, large items", bulks: 1, itemBytes: largeItemBytes, withCallers: false },
  { title: "three at once", bulks: 3, itemBytes, withCallers: false },
  { title: "ten at once, with callers of 17", bulks: 10, itemBytes, withCallers: true },
  { title: "ten at once, large items", bulks: 10, itemBytes: largeItemBytes, withCallers: false },
];
const singlesCallers = 256;
const intrabankCallers = 16;

/** Bulks of one cell, from the first byte sent to the last result recorded. */
interface BulkWindow {
  /** A call is an item. */
  readonly items: Measured;
  /** Time of the bulk that waited longest, from request to answer. */
  readonly acceptedMs: number;
  readonly node: NodeState;
  /** Memory of the node before. */
  readonly rssBefore: number;
  /** Interbank transfers (18) on the same rail in this round. */
  readonly singles: Measured;
  /** Intrabank transfers (17) before, and in windows while bulks were accepted and settled. */
  readonly callers?: { readonly before: Measured; readonly during: readonly Measured[] };
}

interface Bench extends PartOptions {
  readonly loaded: Loaded;
}

export const measureBulks: MeasurePart = async (options, publish) => {
  const { onProgress } = options;
  onProgress("preparing bulks");
  await using loaded = await startLoaded({ ...options, database: "bench_bulks" });
  const bench: Bench = { ...options, loaded };
  const bulks = cells.map((cell) => ({ cell, windows: [] as BulkWindow[] }));
  onProgress("warming up bulks");
  const warm = await runCalls(bench, "rail0", singlesCallers);
  for (const { cell } of bulks.slice(0, 1)) await runBulks(bench, cell, warm);
  for (let round = 0; round < options.rounds; round += 1) {
    const singles = await runCalls(bench, "rail0", singlesCallers);
    for (const { cell, windows } of rotate(bulks, round)) {
      const window = await runBulks(bench, cell, singles);
      windows.push(window);
      onProgress(`bulks ${round + 1}/${options.rounds}  ${cell.title}: ${window.items.perSecond.toFixed(0)} items/s`);
    }
    await loaded.check();
  }
  const rows = bulks.map(({ cell, windows }) => [cell.title, windows] as const);
  const report = [
    `## Bulks (20) of ${options.bulkItems.toLocaleString("en")} items: medians of the rounds (least - most)`,
    figuresTable("bulks", columns, rows),
    `Beside interbank transfers (18) with ${singlesCallers} callers in the same round. Memory of the node: garbage collected before and after.`,
    figuresTable(`intrabank transfers (17), ${intrabankCallers} callers`, callersColumns, callersRows(rows)),
  ].join("\n\n");
  publish({ report, figures: { bulks } });
};

async function runBulks(bench: Bench, cell: Cell, singles: Measured): Promise<BulkWindow> {
  const { loaded, bulkItems } = bench;
  const payers = loaded.accountNumbers.slice(0, cell.bulks);
  const requests = await makeBulkRequests(loaded.caller, payers, { items: bulkItems, itemBytes: cell.itemBytes });
  const before = cell.withCallers ? await runCalls(bench, "uniform", intrabankCallers) : undefined;
  const { rss: rssBefore } = await loaded.watch(true);
  let acceptedMs = 0;
  const settled = measure(loaded.participants, async () => {
    const startedAt = performance.now();
    acceptedMs = Math.max(...(await sendBulks(loaded.caller, requests)));
    await waitUntilSettled(loaded.url);
    const done = cell.bulks * bulkItems;
    return { done, perSecond: done / ((performance.now() - startedAt) / 1_000), p50Ms: undefined, p99Ms: undefined };
  });
  const during = before && (await runMeanwhile(bench, settled));
  const items = await settled;
  loaded.count(cell.bulks * (1 + bulkItems));
  const node = await loaded.watch(false);
  return { items, acceptedMs, node, rssBefore, singles, ...(before && during && { callers: { before, during } }) };
}

/** Windows of callers, one after the other, until the bulks are settled; the last only where it is the only one. */
async function runMeanwhile(bench: Bench, settled: Promise<unknown>): Promise<readonly Measured[]> {
  let isSettled = false;
  const ended = settled.finally(() => {
    isSettled = true;
  });
  // Its failure is the caller's to report.
  ended.catch(() => undefined);
  const windows: Measured[] = [];
  do windows.push(await runCalls(bench, "uniform", intrabankCallers));
  while (!isSettled);
  return windows.length === 1 ? windows : windows.slice(0, -1);
}

function runCalls({ loaded, seconds }: Bench, load: Load, callers: number): Promise<Measured> {
  return loaded.run({ load, callers, seconds });
}

const columns: readonly Column<BulkWindow>[] = [
  { title: "items a second", of: ({ items }) => items.perSecond, withSpread: true },
  { title: "/ 18", of: ({ items, singles }) => divide(items.perSecond, singles.perSecond), withSpread: true },
  {
    title: "CPU of 18 / its",
    of: ({ items, singles, callers }) => (callers ? undefined : divide(allCpuUs(singles), allCpuUs(items))),
  },
  { title: "last accepted, ms", of: ({ acceptedMs }) => acceptedMs },
  { title: "PostgreSQL us", of: ({ items, callers }) => (callers ? undefined : items.postgresUs) },
  { title: "Node us", of: ({ items, callers }) => (callers ? undefined : items.nodeUs) },
  { title: "longest block, ms", of: ({ node }) => node.longestBlockMs },
  { title: "MiB before", of: ({ rssBefore }) => rssBefore },
  { title: "most", of: ({ node }) => node.rssMost },
  { title: "after", of: ({ node }) => node.rss },
  { title: "others %", of: ({ items }) => measuredColumns.others.of(items) },
];

/** `before`: of the same round. */
interface Callers {
  readonly window: Measured;
  readonly before: Measured;
}

const callersColumns: readonly Column<Callers>[] = [
  measuredColumns.rate,
  measuredColumns.p50,
  measuredColumns.p99,
].flatMap(({ title, of }) => [
  { title, of: ({ window }: Callers) => of(window), withSpread: true },
  { title: "/ before", of: ({ window, before }: Callers) => divide(of(window), of(before)), withSpread: true },
]);

function callersRows(rows: readonly (readonly [string, readonly BulkWindow[]])[]) {
  const all = rows.flatMap(([, windows]) => windows.flatMap(({ callers }) => callers ?? []));
  return [
    ["before", all.map(({ before }) => ({ window: before, before }))],
    ["during ten bulks", all.map(({ before, during }) => ({ window: medianOf(during), before }))],
  ] as const;
}

/** Medians of what is compared, over several windows of one round. */
function medianOf(windows: readonly Measured[]): Measured {
  const [first] = windows;
  if (first === undefined) throw new Error("There was no window.");
  const median = (of: (window: Measured) => number | undefined) => summarize(windows.map(of))?.median;
  const { perSecond, p50Ms, p99Ms } = first;
  return {
    ...first,
    perSecond: median((window) => window.perSecond) ?? perSecond,
    p50Ms: median((window) => window.p50Ms) ?? p50Ms,
    p99Ms: median((window) => window.p99Ms) ?? p99Ms,
  };
}
