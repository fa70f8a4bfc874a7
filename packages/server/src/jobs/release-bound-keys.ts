/**
 * Gives up bindings of external ids in home whose time is over (docs/adr/0095-bound-keys.md). One that its cell still has, such as that of a transfer
 * that awaits its result, stays. Any node may run it, also at once with another.
 */
import type { Clock } from "../basics/clock.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { type BoundKey, deleteBindings, listOldBindings } from "../store/tables/requests/bound-keys.ts";
import type { Job } from "./job.ts";

export interface ReleaseBoundDeps {
  /** Connections to home. */
  readonly pool: StatementPool;
  readonly clock: Pick<Clock, "now">;
  /** Age from which they are given up (ms). */
  readonly keepMs: number;
  /** Undefined: this node does not serve the cell now. */
  reads(cell: number): { findTakenKeys(keys: readonly string[]): Promise<readonly string[]> } | undefined;
}

const everyMs = 60_000;
const slice = 1_000;

export function createReleaseBoundKeys({ pool, clock, keepMs, reads }: ReleaseBoundDeps): Job {
  const run: Job["run"] = async (mayGoOn) => {
    let released = 0;
    let last: BoundKey | undefined;
    for (;;) {
      // Read before the clock is checked: a jump behind the check gives nothing up.
      const before = clock.now() - keepMs;
      if (!(await mayGoOn())) return released;
      const page = await listOldBindings(pool, before, last, slice);
      for (const [cell, bound] of Map.groupBy(page, (one) => one.cell)) {
        const taken = await reads(cell)
          ?.findTakenKeys(bound.map(({ key }) => key))
          .catch(() => undefined);
        if (!taken) continue;
        const kept = new Set(taken);
        released += await deleteBindings(
          pool,
          bound.filter(({ key }) => !kept.has(key)),
        );
      }
      last = page.at(-1);
      if (page.length < slice) return released;
    }
  };
  return { name: "release-bound-keys", everyMs, actsOnTime: true, run };
}
