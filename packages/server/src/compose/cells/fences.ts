/**
 * Keys that a cell gives up to another (docs/adr/0100-rebound-keys.md), on connections of their own. None is opened
 * before a key is looked at. Used in turns of the cell's reads, which confirm them.
 */
import { isFence, timeOf } from "../../basics/ids.ts";
import { slicesOf } from "../../basics/slices.ts";
import { type KeyFences, type KeyHolders, youngMs } from "../../operations/cells/judge-keys.ts";
import { keysAtOnce } from "../../operations/cells/key-binder.ts";
import { createBindingPool, type StatementPool } from "../../store/postgres/connect.ts";
import { fenceFreeKeys, isNumberKey, readKeyHolders } from "../../store/tables/requests/request-keys.ts";
import type { Core } from "../core.ts";

const connections = 2;

export function createFences({
  cell,
  clock,
  database,
  replication,
}: Pick<Core, "cell" | "clock" | "database" | "replication">): KeyFences & AsyncDisposable {
  const pool = createBindingPool(database.url, connections, replication?.confirmations.checkServer);
  replication?.cutWithServer(pool);
  const read = (keys: readonly string[]) => readHolders(pool, keys, clock.now());
  return {
    read,
    take: async (keys) => {
      for (const slice of slicesOf(keys, keysAtOnce)) await fenceFreeKeys(pool, slice, clock.now(), cell);
      // By statements of its own, whose snapshots have what others have taken.
      return read(keys);
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

/** An external id is fenced for its window alone (isReserved in duplicates.ts): behind half a day its fence is no better than an old request. */
async function readHolders(pool: StatementPool, keys: readonly string[], now: number): Promise<KeyHolders> {
  const ofRequests: string[] = [];
  const fenced: string[] = [];
  for (const slice of slicesOf(keys, keysAtOnce)) {
    for (const [position, id] of await readKeyHolders(pool, slice)) {
      const key = slice[position] as string;
      const isFenced = isFence(id) && (isNumberKey(key) || now - timeOf(id) < youngMs);
      (isFenced ? fenced : ofRequests).push(key);
    }
  }
  return { ofRequests, fenced };
}
