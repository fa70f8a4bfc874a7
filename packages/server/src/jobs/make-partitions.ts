/** Makes the partitions of the periods to come (docs/database-growth.md). Any node may run it, also at once with another. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import {
  countDefaultRows,
  makePartition,
  partitionedTables,
  type PartitionedTable,
  type Period,
  readEndOfPartitions,
} from "../store/postgres/partitions.ts";
import type { Job } from "./job.ts";

export interface PartitionsDeps {
  readonly pool: StatementPool;
  readonly clock: Pick<Clock, "real">;
  /** Length of a period (ms). */
  readonly periodMs: number;
  /** Told after each run how many rows of a table have no partition of their own, at most 1,000. */
  readonly onDefaultRows: (table: PartitionedTable, rows: number) => void;
}

const everyMs = 3_600_000;
const periodsAhead = 4;
/** Periods of whole weeks begin on a Monday, by UTC. */
const firstMonday = Date.UTC(1970, 0, 5);
const pauseMs = 50;

export function createMakePartitions({ pool, clock, periodMs, onDefaultRows }: PartitionsDeps): Job {
  const makeAhead = async (table: PartitionedTable, until: number): Promise<number> => {
    const last = clock.real() + periodsAhead * periodMs;
    for (let made = 0; ; ) {
      // Nothing was written while no service ran: what is missing of a long time is not made.
      const earliest = startOfPeriod(clock.real(), periodMs) - periodMs;
      const end = Math.max((await readEndOfPartitions(pool, table)) ?? 0, earliest);
      if (end >= last || clock.real() >= until) return made;
      if (await makePartition(pool, table, periodFrom(end, periodMs))) made += 1;
      // Another node makes it, or somebody keeps a lock.
      else await sleep(pauseMs);
    }
  };
  const run: Job["run"] = async (until) => {
    let made = 0;
    for (const table of partitionedTables) {
      made += await makeAhead(table, until);
      onDefaultRows(table, await countDefaultRows(pool, table));
    }
    return made;
  };
  return { name: "make-partitions", everyMs, actsOnTime: true, run };
}

function startOfPeriod(at: number, periodMs: number): number {
  return at - ((((at - firstMonday) % periodMs) + periodMs) % periodMs);
}

/** The rest of the period of a moment: also where the length of periods was another before. */
function periodFrom(from: number, periodMs: number): Period {
  return { from, to: startOfPeriod(from, periodMs) + periodMs };
}
