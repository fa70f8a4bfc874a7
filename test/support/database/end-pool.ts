/** Pools of `pg` resolve their `end` before the connections are closed, which the drop of a database would break. */
import type { Pool } from "pg";

export async function endPools(...pools: readonly Pool[]): Promise<void> {
  await Promise.all(pools.map(endPool));
}

async function endPool(pool: Pool): Promise<void> {
  let open = pool.totalCount;
  const closed = new Promise<void>((resolve) => {
    if (open === 0) resolve();
    pool.on("remove", () => {
      open -= 1;
      if (open === 0) resolve();
    });
  });
  await pool.end();
  await closed;
}
