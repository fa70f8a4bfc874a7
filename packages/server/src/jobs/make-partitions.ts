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
/** While the period of now has its partition, the others are left to the next run rather than asked for again and again. */
const triesMax = 5;

export function createMakePartitions({ pool, clock, periodMs, onDefaultRows }: PartitionsDeps): Job {
  const makeAhead = async (table: PartitionedTable, until: number): Promise<number> => {
    const last = clock.real() + periodsAhead * periodMs;
    let made = 0;
    for (let tries = 0; ; ) {
      // Nothing was written while no service ran: what is missing of a long time is not made.
      const earliest = startOfPeriod(clock.real(), periodMs) - periodMs;
      const end = Math.max((await readEndOfPartitions(pool, table)) ?? 0, earliest);
      const isUrgent = end <= clock.real();
      if (end >= last || clock.real() >= until || (tries >= triesMax && !isUrgent)) return made;
      if (await makePartition(pool, table, periodFrom(end, periodMs))) made += 1;
      else {
        // Another node makes it, or somebody keeps a lock.
        tries += 1;
        await sleep(pauseMs);
      }
    }
  };
  const run: Job["run"] = async (until) => {
    let made = 0;
    const errors: unknown[] = [];
    for (const [index, table] of partitionedTables.entries()) {
      // One table that cannot get its partition leaves the others theirs, and their share of the time.
      const now = clock.real();
      const share = (until - now) / (partitionedTables.length - index);
      await makeAhead(table, now + share).then(
        (count) => (made += count),
        (error: unknown) => errors.push(error),
      );
      onDefaultRows(table, await countDefaultRows(pool, table));
    }
    if (errors.length > 0) throw errors[0];
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
