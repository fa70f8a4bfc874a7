/**
 * Gives up external ids that are kept no longer (docs/guides/database-growth.md). Any node may run it, also at once
 * with another.
 */
import type { Clock } from "../basics/clock.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { releaseOldExternalIds } from "../store/tables/requests/old-external-ids.ts";
import type { Job } from "./job.ts";

export interface ReleaseDeps {
  readonly pool: StatementPool;
  readonly clock: Clock;
  /** Time for which external ids are kept (ms). Never shorter than the window in which they stay taken. */
  readonly keepMs: number;
  readonly idempotencyWindowMs: number;
}

const everyMs = 60_000;
const slice = 1_000;

export function createReleaseExternalIds({ pool, clock, keepMs, idempotencyWindowMs }: ReleaseDeps): Job {
  const ageMs = Math.max(keepMs, idempotencyWindowMs);
  const run: Job["run"] = async (mayGoOn) => {
    for (let released = 0; ; ) {
      // Read before the clock is checked: a jump behind the check gives nothing up.
      const [now, real] = [clock.now(), clock.real()];
      if (!(await mayGoOn())) return released;
      const old = { acceptedBefore: now - ageMs, madeBefore: real - ageMs, now };
      const done = await releaseOldExternalIds(pool, old, slice);
      released += done.released;
      if (done.requests < slice) return released;
    }
  };
  return { name: "release-external-ids", everyMs, actsOnTime: true, run };
}
