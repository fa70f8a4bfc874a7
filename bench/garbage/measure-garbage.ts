/** Garbage of one intrabank transfer: KB allocated, by layer, and collections. */
import type { Allocations } from "../load/sample-allocations.ts";
import { startLoaded } from "../load/start-loaded.ts";
import type { MeasurePart } from "../parts.ts";
import { formatFigure } from "../report/figures.ts";
import { markdownTable } from "../report/markdown-table.ts";
import { summarize } from "../statistics.ts";
import type { Window } from "../subject.ts";

/** By where the function stands that allocates; the first that fits. */
const layers: readonly (readonly [string, RegExp])[] = [
  ["edge", /\/packages\/server\/src\/edge\//],
  ["contract", /\/packages\/contract\//],
  ["operations", /\/packages\/server\/src\/operations\//],
  ["engine and ledger", /\/packages\/server\/src\/(engine|ledger)\//],
  ["store", /\/packages\/server\/src\/store\//],
  ["other parts of the service", /\/packages\//],
  ["driver (pg)", /\/node_modules\/pg/],
  ["node", /^node:/],
  ["everything else", /^/],
];

interface Garbage extends Allocations {
  /** Number of transfers. */
  readonly done: number;
}

export const measureGarbage: MeasurePart = async (options, publish) => {
  const { callers, rounds, seconds, onProgress } = options;
  onProgress("preparing garbage");
  await using loaded = await startLoaded({ ...options, database: "bench_garbage" });
  const warmUp = { load: "uniform", callers: 64, seconds: options.warmUpSeconds } as const;
  await loaded.run(warmUp);
  await loaded.run({ ...warmUp, calls: options.warmUpCalls });
  const results = callers.map((count) => ({ callers: count, windows: new Array<Garbage>() }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { callers: count, windows } of results) {
      const window: Window = { load: "uniform", callers: count, seconds };
      const { done } = await loaded.run(window, () => loaded.beginSampling());
      windows.push({ done, ...(await loaded.endSampling()) });
      onProgress(`round ${round + 1}, ${count} callers: ${done} transfers`);
    }
    await loaded.check();
  }
  publish({ report: garbageTable(results), figures: { garbage: results } });
};

interface Result {
  readonly callers: number;
  /** One a round. */
  readonly windows: readonly Garbage[];
}

/** Medians of the rounds. */
function garbageTable(results: readonly Result[]): string {
  const row = (title: string, of: (window: Garbage) => number) => [
    title,
    ...results.map(({ windows }) => formatFigure(summarize(windows.map((window) => of(window) / window.done)), false)),
  ];
  const rows = [
    ...layers.map(([title], layer) => row(`KB: ${title}`, (window) => kbByLayer(window)[layer] ?? 0)),
    row("KB: all", (window) => kbByLayer(window).reduce((sum, kb) => sum + kb, 0)),
    row("scavenges of 1,000 transfers", ({ scavenges }) => scavenges * 1_000),
    row("other collections of 1,000 transfers", ({ otherCollections }) => otherCollections * 1_000),
    row("us of collections", ({ collectingMs }) => collectingMs * 1_000),
  ];
  return [
    "## Garbage of a transfer, sampled: what is allocated outside of the heap (buffers) is not in it",
    markdownTable(["a transfer, by callers", ...results.map(({ callers }) => String(callers))], rows),
  ].join("\n\n");
}

/** KB, in the order of the layers. */
function kbByLayer({ bytesByUrl }: Allocations): readonly number[] {
  const kb = layers.map(() => 0);
  for (const [url, bytes] of Object.entries(bytesByUrl)) {
    const layer = layers.findIndex(([, where]) => where.test(url));
    kb[layer] = (kb[layer] ?? 0) + bytes / 1_000;
  }
  return kb;
}
