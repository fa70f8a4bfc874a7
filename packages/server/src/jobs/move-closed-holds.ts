/**
 * Moves holds that nothing can change any more to the table of closed ones (docs/guides/database-growth.md). Any node
 * may run it, also at once with another: the database judges each hold, under its lock.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { lowestId } from "../basics/ids.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { findHoldsToMove, moveClosedHolds } from "../store/tables/closed-holds.ts";
import type { Job } from "./job.ts";

const everyMs = 3_600_000;
/** Holds a statement. */
const slice = 500;
/** Slices a run: captured holds wait for their refund window, and are gone through again and again. */
const slicesMax = 2_000;
/** It takes a part of a connection's time. */
const pauseMs = 20;

export interface MoveDeps {
  readonly pool: StatementPool;
}

export function createMoveClosedHolds({ pool }: MoveDeps): Job {
  /** Where the next run goes on: with more holds than a run goes through, each has its turn. */
  let after = lowestId;
  const run: Job["run"] = async (mayGoOn) => {
    let moved = 0;
    for (let slices = 0; slices < slicesMax; slices += 1) {
      if (!(await mayGoOn())) return moved;
      const { next, closed } = await findHoldsToMove(pool, after, slice);
      moved += await moveClosedHolds(pool, closed);
      after = next ?? lowestId;
      if (next === undefined) return moved;
      await sleep(pauseMs);
    }
    return moved;
  };
  // The database judges by its own clock: it must be right.
  return { name: "move-closed-holds", everyMs, actsOnTime: true, run };
}
