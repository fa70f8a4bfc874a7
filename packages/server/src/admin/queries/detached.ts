/** Whether what is asked for may be in a detached partition. */
import { fromReferenceNo } from "../../ids.ts";
import { findDetachedPartition as find } from "../../store/reads/detached.ts";
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
