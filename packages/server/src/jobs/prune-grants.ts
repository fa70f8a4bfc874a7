/** Grants whose code or newest refresh token nobody used in time, and ended ones whose tokens have expired (spec D3). */
import type { Clock } from "../clock.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { deleteEndedGrants, deleteExpiredGrants } from "../store/reference/customer-grants.ts";

/** Rows a statement: few enough that it never holds a snapshot for long. */
const slice = 1_000;

/** Deletes what has expired, slice by slice; returns how many went. Any node may run it, also at once with another. */
export async function pruneGrants(deps: { readonly pool: StatementPool; readonly clock: Clock }): Promise<number> {
  let total = 0;
  for (const remove of [deleteExpiredGrants, deleteEndedGrants]) {
    for (let deleted = slice; deleted === slice; total += deleted) {
      deleted = await remove(deps.pool, deps.clock.now(), slice);
    }
  }
  return total;
}
