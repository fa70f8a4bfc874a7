/** Drops what is kept for a while only, a partition at a time (docs/guides/database-growth.md). Any node may run it. */
import type { Clock } from "../basics/clock.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { dropPartitions, type KeptForAWhile } from "../store/partitions/partitions.ts";
import type { Job } from "./job.ts";

export interface DropDeps {
  readonly pool: StatementPool;
  readonly clock: Pick<Clock, "real">;
  /** Shortest time for which rows are kept (ms); a partition goes when its last row may. */
  readonly keepMs: Readonly<Record<KeptForAWhile, number>>;
}

const everyMs = 3_600_000;

export function createDropPartitions({ pool, clock, keepMs }: DropDeps): Job {
  const run: Job["run"] = async (mayGoOn) => {
    let dropped = 0;
    for (const table of ["rejected_requests", "delivery_attempts", "search_words", "kept_calls"] as const) {
      // Read before the clock is checked: a jump behind the check drops nothing.
      const before = clock.real() - keepMs[table];
      if (await mayGoOn()) dropped += await dropPartitions(pool, table, before);
    }
    return dropped;
  };
  return { name: "drop-partitions", everyMs, actsOnTime: true, run };
}
