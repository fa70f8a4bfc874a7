/** Deletes what has expired, slice by slice. Any node may run it, also at once with another. */
import type { Clock } from "../basics/clock.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { deleteEndedGrants, deleteExpiredGrants } from "../store/reference/customer-grants.ts";
import { pruneOperatorSessions } from "../store/tables/operator-sessions.ts";
import type { Job } from "./job.ts";

export interface PruneDeps {
  readonly pool: StatementPool;
  readonly clock: Clock;
}

const everyMs = 3_600_000;
/** Rows a statement: few enough that it never holds a snapshot for long. */
const slice = 1_000;

/** Expired grants, and ended ones whose tokens have expired (spec D3). */
export function createPruneGrants(deps: PruneDeps): Job {
  return prune("prune-grants", deps, [deleteExpiredGrants, deleteEndedGrants]);
}

/** Sessions of operators that are long over, by the database's clock. */
export function createPruneSessions(deps: PruneDeps): Job {
  return prune("prune-sessions", deps, [(pool, _now, limit) => pruneOperatorSessions(pool, limit)]);
}

type Delete = (pool: StatementPool, now: number, limit: number) => Promise<number>;

function prune(name: string, { pool, clock }: PruneDeps, deletes: readonly Delete[]): Job {
  const run: Job["run"] = async (mayGoOn) => {
    let total = 0;
    for (const remove of deletes) {
      for (let deleted = slice; deleted === slice; total += deleted) {
        // Read before the clock is checked: a jump behind the check deletes nothing.
        const now = clock.now();
        if (!(await mayGoOn())) return total;
        deleted = await remove(pool, now, slice);
      }
    }
    return total;
  };
  return { name, everyMs, actsOnTime: true, run };
}
