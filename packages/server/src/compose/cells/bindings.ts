/** Keys of requests bound in home (docs/adr/0095-bound-keys.md): for partners with several cells, on connections of their own. */
import { createReleaseBoundKeys } from "../../jobs/release-bound-keys.ts";
import type { Job } from "../../jobs/job.ts";
import {
  type BindingTable,
  connectionsOfBinder,
  createKeyBinder,
  type KeyBinder,
} from "../../operations/cells/key-binder.ts";
import { createBindingPool } from "../../store/postgres/connect.ts";
import type { Reads } from "../../store/reads/reads.ts";
import { bindFreeKeys, readBoundKeys, rebindKeys } from "../../store/tables/requests/bound-keys.ts";
import type { Core } from "../core.ts";
import { confirmedBy } from "../replication.ts";
import { observeBindings } from "../observe/observe-bindings.ts";

export interface CellBindings extends AsyncDisposable {
  readonly binder: KeyBinder;
  /** Time after which an external id may be bound to another cell (ms). */
  readonly keepExternalIdsMs: number;
  readonly jobs: readonly Job[];
}

/** `core`: home's. Nothing is opened before the first call of a partner with several cells. `reads`: of a cell that this node serves. */
export function createBindings(
  core: Core,
  reads: (cell: number) => Pick<Reads, "findTakenKeys"> | undefined,
): CellBindings {
  const { config, clock, database, replication, adminPool } = core;
  const pool = createBindingPool(database.url, connectionsOfBinder, replication?.confirmations.checkServer);
  replication?.cutWithServer(pool);
  const confirmed = confirmedBy(replication);
  const table: BindingTable = {
    bind: (wanted) => confirmed(() => bindFreeKeys(pool, wanted)),
    read: (keys) => confirmed(() => readBoundKeys(pool, keys)),
    rebind: (from, to) => confirmed(() => rebindKeys(pool, from, to)),
  };
  const keepExternalIdsMs = Math.max(config.keepExternalIdsMs, config.idempotencyWindowMs);
  const hasCells = config.cells.length > 0;
  return {
    binder: createKeyBinder(table, observeBindings(core, hasCells), clock),
    keepExternalIdsMs,
    jobs: hasCells ? [createReleaseBoundKeys({ pool: adminPool, clock, keepMs: keepExternalIdsMs, reads })] : [],
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
