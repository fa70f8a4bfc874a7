/** Recorded rejections are kept for 90 days: long after a copy of a rejected call could still be in its time window. */
import type { Clock } from "../clock.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { deleteRejections } from "../store/tables/rejected-requests.ts";

const keepMs = 90 * 86_400_000;
/** Rows a statement: few enough that it never holds a snapshot for long. */
const slice = 1_000;

/** Deletes what is too old, slice by slice; returns how many went. Any node may run it, also at once with another. */
export async function pruneRejections(deps: { readonly pool: StatementPool; readonly clock: Clock }): Promise<number> {
  const now = deps.clock.now();
  let total = 0;
  for (;;) {
    const deleted = await deleteRejections(deps.pool, now - keepMs, slice);
    total += deleted;
    if (deleted < slice) return total;
  }
}
