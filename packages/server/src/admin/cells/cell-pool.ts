/** Connections of administration to cells. */
import type { CellAddress } from "../../basics/cell-address.ts";
import { createAdminPool, type StatementPool } from "../../store/postgres/connect.ts";

const connectionsMax = 2;

/** Connections for one program, a pool a cell. */
export interface CellPools extends AsyncDisposable {
  of(cell: CellAddress): StatementPool;
}

/** A cell's pool is made when it is first asked for, and connects at its first statement. */
export function openCellPools(): CellPools {
  const pools = new Map<number, ReturnType<typeof createAdminPool>>();
  return {
    of: ({ number, url }) => {
      const pool = pools.get(number) ?? createAdminPool(url, connectionsMax);
      pools.set(number, pool);
      return pool;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.end()));
    },
  };
}

/** @throws PostgreSQL's or the driver's error where the cell does not answer. */
export async function withCellPool<Result>(
  { url }: Pick<CellAddress, "url">,
  work: (pool: StatementPool) => Promise<Result>,
): Promise<Result> {
  const pool = createAdminPool(url, connectionsMax);
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}
