/** Detached partitions that may have what is asked for. */
import { fromReferenceNo, highestId, lowestId } from "../basics/ids.ts";
import { findDetachedPartition as find, listDetachedBetween } from "../store/reads/detached.ts";
import type { IdRange } from "../store/reads/scan-list.ts";
import type { QueryDeps } from "./query-deps.ts";

/** Name of the detached partition that has the request of one of our numbers, or a hold's events, if there were any. */
export async function findDetachedPartition(
  deps: Pick<QueryDeps, "pool">,
  referenceNo: string,
  table?: "accepted_requests" | "hold_events",
): Promise<string | undefined> {
  const id = fromReferenceNo(referenceNo);
  return id === undefined ? undefined : find(deps.pool, id, table);
}

/**
 * Names of the detached partitions whose requests a page of a list lacks. `next`: id beyond which the next page starts, undefined
 * on the last one.
 */
export function detachedWithin(
  { pool }: Pick<QueryDeps, "pool">,
  { start, end }: IdRange,
  next: string | undefined,
  isOldestFirst: boolean | undefined,
): Promise<readonly string[]> {
  return isOldestFirst
    ? listDetachedBetween(pool, start, next ?? end ?? highestId)
    : listDetachedBetween(pool, next ?? end ?? lowestId, start);
}
