/** Drops what is kept for a while only, a partition at a time (docs/database-growth.md). Any node may run it. */
import type { Clock } from "../clock.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { dropPartitions, type KeptForAWhile } from "../store/postgres/partitions.ts";
import type { Job } from "./job.ts";

export interface DropDeps {
  readonly pool: StatementPool;
  readonly clock: Pick<Clock, "real">;
  /** How long rows are kept at least (ms); a partition goes when its last row may. */
  readonly keepMs: Readonly<Record<KeptForAWhile, number>>;
}

const everyMs = 3_600_000;

export function createDropPartitions({ pool, clock, keepMs }: DropDeps): Job {
  const run: Job["run"] = async () =>
    (await dropPartitions(pool, "rejected_requests", clock.real() - keepMs.rejected_requests)) +
    (await dropPartitions(pool, "delivery_attempts", clock.real() - keepMs.delivery_attempts));
  return { name: "drop-partitions", everyMs, actsOnTime: true, run };
}
