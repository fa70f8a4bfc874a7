/**
 * Makes the partitions of the periods to come (docs/guides/database-growth.md). Any node may run it, also at once with
 * another.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../basics/clock.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import {
  countDefaultRows,
  makePartition,
  partitionedTables,
  type PartitionedTable,
  type Period,
  readEndOfPartitions,
} from "../store/partitions/partitions.ts";
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
/** Before the next try, when another node makes it, or somebody keeps a lock. */
const pauseMs = 50;
/** While the period of now has its partition, the others are left to the next run rather than asked for again and again. */
const triesMax = 5;
/** Where the period of now has none: some ten minutes. */
const urgentTriesMax = 4_000;

interface Ahead {
  readonly table: PartitionedTable;
  /** So many found it locked. */
  readonly tries: number;
}

export function createMakePartitions({ pool, clock, periodMs, onDefaultRows }: PartitionsDeps): Job {
  /**
   * Undefined: the table has enough, or its periods to come have to wait for the next run.
   * @throws where the period of now has to.
   */
  const makeNext = async ({ table, tries }: Ahead, now: number): Promise<"made" | "locked" | undefined> => {
    // Nothing was written while no service ran: what is missing of a long time is not made.
    const earliest = startOfPeriod(now, periodMs) - periodMs;
    const end = Math.max((await readEndOfPartitions(pool, table)) ?? 0, earliest);
    if (end >= now + periodsAhead * periodMs) return undefined;
    const isUrgent = end <= now;
    if (tries >= (isUrgent ? urgentTriesMax : triesMax)) {
      if (isUrgent) throw new Error(`${table} has no partition for what is written now: somebody keeps its lock.`);
      return undefined;
    }
    if (await makePartition(pool, table, periodFrom(end, periodMs))) return "made";
    await sleep(pauseMs);
    return "locked";
  };
  const run: Job["run"] = async (mayGoOn) => {
    let made = 0;
    const errors: unknown[] = [];
    const fail = (error: unknown) => void errors.push(error);
    // In turn: one table that cannot get its partition leaves the others theirs.
    const queue: Ahead[] = partitionedTables.map((table) => ({ table, tries: 0 }));
    // Where the clock cannot be checked, what went wrong before is told, too.
    const goesOn = () => mayGoOn().catch((error: unknown) => (fail(error), false));
    for (let next = queue.shift(); next; next = queue.shift()) {
      // Read before the clock is checked: a jump behind the check makes nothing.
      const now = clock.real();
      if (!(await goesOn())) break;
      const result = await makeNext(next, now).catch(fail);
      if (result === "made") {
        made += 1;
        queue.push(next);
      }
      if (result === "locked") queue.push({ ...next, tries: next.tries + 1 });
    }
    for (const table of partitionedTables) {
      await countDefaultRows(pool, table).then((count) => onDefaultRows(table, count), fail);
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
