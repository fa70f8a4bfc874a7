/**
 * What filled tables cost: the same calls on databases with different numbers of transfers, each window directly after a
 * checkpoint, when every page that is changed is logged whole once.
 */
import { type LoadedDatabase, startLoadedDatabase } from "../load/start-loaded-database.ts";
import { leastDisturbed, type PartOptions } from "../part.ts";
import { rotate } from "../plan.ts";
import type { Measured } from "../subject.ts";
import { fillTransfers } from "./fill-transfers.ts";

export interface GrowthOptions extends PartOptions {
  /** Transfers that each database has before. */
  readonly transfers: readonly number[];
}

export interface GrowthResult {
  readonly transfers: number;
  /** One a round. */
  readonly windows: Measured[];
}

export const growthCallers = 256;
const window = { load: "uniform", callers: growthCallers } as const;

/** @param onMeasured told what was measured before the audits begin */
export async function measureGrowth(
  options: GrowthOptions,
  onMeasured: (results: readonly GrowthResult[]) => void,
): Promise<void> {
  const { cluster, accounts, rounds, seconds, warmUpSeconds, onProgress } = options;
  await using stack = new AsyncDisposableStack();
  const filled: { readonly loaded: LoadedDatabase; readonly result: GrowthResult }[] = [];
  for (const transfers of options.transfers) {
    const startedAt = performance.now();
    onProgress(`filling a database with ${transfers.toLocaleString("en")} transfers`);
    const fill = (ledger: Parameters<typeof fillTransfers>[0]) => fillTransfers(ledger, transfers);
    const database = `bench_growth_${transfers}`;
    const loaded = stack.use(await startLoadedDatabase({ cluster, database, accounts, onProgress, fill }));
    onProgress(`filled in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
    await loaded.run({ ...window, seconds: warmUpSeconds });
    filled.push({ loaded, result: { transfers, windows: [] } });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { loaded, result } of rotate(filled, round)) {
      const name = `growth ${result.transfers.toLocaleString("en")}`;
      const run = () => loaded.run({ ...window, seconds }, () => cluster.checkpoint());
      const measured = await leastDisturbed(options, name, run);
      result.windows.push(measured);
      const { perSecond, postgresUs = 0, walBytes = 0 } = measured;
      onProgress(
        `${name} ${round + 1}/${rounds}  ${perSecond.toFixed(0)}/s  PostgreSQL ${postgresUs.toFixed(0)} us  WAL ${walBytes.toFixed(0)} bytes`,
      );
    }
  }
  onMeasured(filled.map(({ result }) => result));
}
