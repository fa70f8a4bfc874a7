/** The jobs of partitions, and the metric of rows that have none of their own. */
import type { Retention } from "../config/retention.ts";
import { createDropPartitions } from "../jobs/drop-partitions.ts";
import type { Job } from "../jobs/job.ts";
import { createMakePartitions } from "../jobs/make-partitions.ts";
import type { PartitionedTable } from "../store/partitions/partitions.ts";
import type { Core } from "./core.ts";

export interface PartitionJobs {
  readonly make: Job;
  readonly drop: Job;
}

export function createPartitionJobs(core: Core, config: Retention): PartitionJobs {
  const { adminPool: pool, clock, metrics } = core;
  const rows = new Map<PartitionedTable, number>();
  const metric = {
    name: "titian_default_partition_rows",
    help: "Rows of a table whose period has no partition, up to 1,000; above 0 partitions were not made in time.",
    labels: ["table"],
  };
  metrics.gauge(metric, () => [...rows].map(([table, value]) => ({ labels: { table }, value })));
  const onDefaultRows = (table: PartitionedTable, count: number) => void rows.set(table, count);
  return {
    make: createMakePartitions({ pool, clock, periodMs: config.partitionPeriodMs, onDefaultRows }),
    drop: createDropPartitions({ pool, clock, keepMs: config.keepMs }),
  };
}
