/** Connections of a cell for plain statements. Each pool ends all its connections when the server is lost. */
import { createAdminPool, createReadPool, type StatementPool } from "../../store/postgres/connect.ts";
import type { Database } from "../database.ts";
import type { ReplicationWatch } from "../replication.ts";

export interface Pools {
  /** Connections for plain reads. */
  readonly pool: StatementPool;
  /** Connections for plain statements of the service: customers' tokens, jobs that clean up. */
  readonly adminPool: StatementPool;
  /** Connections for administration, which writes what the service only reads. */
  readonly administrationPool: StatementPool;
}

/** Most connections of each pool. */
export interface PoolSizes {
  readonly reads: number;
  readonly admin: number;
  readonly administration: number;
}

const alone: PoolSizes = { reads: 10, admin: 4, administration: 2 };
const few: PoolSizes = { reads: 4, admin: 3, administration: 2 };
const least: PoolSizes = { reads: 2, admin: 2, administration: 1 };

/** Sizes for each of so many cells: with its engines, jobs and streams a node with two has at most some 40 connections, one with eight 130. */
export function poolSizes(cells: number): PoolSizes {
  if (cells === 1) return alone;
  return cells <= 3 ? few : least;
}

export function openPools(
  { url, administrationUrl }: Database,
  sizes: PoolSizes,
  replication: ReplicationWatch | undefined,
  stack: AsyncDisposableStack,
): Pools {
  const own = ownPools(replication, stack);
  const adminPool = own(createAdminPool(url, sizes.admin));
  return {
    pool: own(createReadPool(url, sizes.reads, replication?.confirmations.checkServer)),
    adminPool,
    // A command has one role for all it does, and so has a production node; a sandbox has one more for its control calls.
    administrationPool:
      administrationUrl === url ? adminPool : own(createAdminPool(administrationUrl, sizes.administration)),
  };
}

/** A connection of its own: callers' reads, however many, must not keep a suspension from being heard of. */
export function openReferencePool(
  { url }: Database,
  replication: ReplicationWatch | undefined,
  stack: AsyncDisposableStack,
): StatementPool {
  return ownPools(replication, stack)(createReadPool(url, 1));
}

function ownPools(replication: ReplicationWatch | undefined, stack: AsyncDisposableStack) {
  return (pool: StatementPool): StatementPool => {
    stack.defer(() => pool.end());
    replication?.cutWithServer(pool);
    return pool;
  };
}
