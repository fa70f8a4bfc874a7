/** Detached partitions that may have what is asked for. */
import { fromReferenceNo, highestId, lowestId } from "../basics/ids.ts";
import { findDetachedPartition as find, listDetachedBetween } from "../store/reads/detached.ts";
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
 * Names of the detached partitions whose requests a page of a list lacks. `before`: number that the page starts before, undefined
 * for the newest; `next`: that before which the next one starts, undefined on the last page.
 */
export function detachedWithin(
  { pool }: Pick<QueryDeps, "pool">,
  before: string | undefined,
  next: string | undefined,
): Promise<readonly string[]> {
  const idOf = (number: string | undefined) => (number === undefined ? undefined : fromReferenceNo(number));
  return listDetachedBetween(pool, idOf(next) ?? lowestId, idOf(before) ?? highestId);
}
