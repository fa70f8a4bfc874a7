/**
 * Costs of filled tables: the same calls on databases with different numbers of transfers, each window directly after a
 * checkpoint, when every page that is changed is logged whole once.
 */
import { leastDisturbed } from "../least-disturbed.ts";
import { type Loaded, startLoaded } from "../load/start-loaded.ts";
import type { MeasurePart } from "../parts.ts";
import { type Column, divide, figuresTable, measuredColumns } from "../report/figures-table.ts";
import { rotate } from "../run-rounds.ts";
import type { Measured } from "../subject.ts";
import type { LedgerSettings } from "../workers/load-settings.ts";
import { fillTransfers } from "./fill-transfers.ts";

interface Filled {
  readonly transfers: number;
  readonly loaded: Loaded;
  /** One a round. */
  readonly windows: Measured[];
}

const window = { load: "uniform", callers: 256 } as const;

export const measureGrowth: MeasurePart = async (options, publish) => {
  const { cluster, rounds, seconds, warmUpSeconds, onProgress } = options;
  await using stack = new AsyncDisposableStack();
  const filled: Filled[] = [];
  for (const transfers of options.transfers) {
    onProgress(`filling a database with ${transfers.toLocaleString("en")} transfers`);
    const fill = (ledger: LedgerSettings) => fillTransfers(ledger, transfers);
    const loaded = stack.use(await startLoaded({ ...options, database: `bench_growth_${transfers}`, fill }));
    await loaded.run({ ...window, seconds: warmUpSeconds });
    filled.push({ transfers, loaded, windows: [] });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { transfers, loaded, windows } of rotate(filled, round)) {
      const name = `growth ${transfers.toLocaleString("en")}`;
      const run = () => loaded.run({ ...window, seconds }, () => cluster.checkpoint());
      const measured = await leastDisturbed(options, name, run);
      windows.push(measured);
      const { perSecond, postgresUs = 0, walBytes = 0 } = measured;
      onProgress(
        `${name} ${round + 1}/${rounds}  ${perSecond.toFixed(0)}/s  PostgreSQL ${postgresUs.toFixed(0)} us  WAL ${walBytes.toFixed(0)} bytes`,
      );
    }
  }
  const growth = filled.map(({ transfers, windows }) => ({ transfers, windows }));
  publish({ report: writeReport(growth), figures: { growth } });
};

/** `first`: the window of the first size in the same round. */
interface Compared {
  readonly window: Measured;
  readonly first: Measured | undefined;
}

const { rate, p99, postgres, node, wal, others } = measuredColumns;
const columns: readonly Column<Compared>[] = [
  ...[rate, p99, postgres, node, wal, others].map((column) => ({
    ...column,
    of: ({ window: measured }: Compared) => column.of(measured),
  })),
  ...[rate, wal, postgres].map(({ title, of }) => ({
    title: `${title} / first`,
    of: ({ window: measured, first }: Compared) => divide(of(measured), first && of(first)),
    withSpread: true,
  })),
];

function writeReport(growth: readonly Pick<Filled, "transfers" | "windows">[]): string {
  const rows = growth.map(({ transfers, windows }) => {
    const compared = windows.map((measured, round) => ({ window: measured, first: growth[0]?.windows[round] }));
    return [transfers.toLocaleString("en"), compared] as const;
  });
  return [
    `## Filled tables, end to end, ${window.callers} callers, straight after a checkpoint`,
    figuresTable("transfers before", columns, rows),
  ].join("\n\n");
}
