/** All holds, newest first. */
import { fromReferenceNo } from "../../basics/ids.ts";
import { listNewestHolds as readNewest } from "../../store/reads/holds.ts";
import { type HoldSummary, summarizeHold } from "./holds.ts";
import type { OpenHoldsPage } from "./open-holds.ts";
import { partnerIdOf, type QueryDeps } from "../query-deps.ts";

export interface NewestHold extends HoldSummary {
  /** `X-PARTNER-ID`. */
  readonly partnerId: string;
}

export interface NewestHolds {
  readonly holds: readonly NewestHold[];
  /** referenceNo before which the next page starts; undefined on the last page. */
  readonly next: string | undefined;
}

/** A page of holds in every state. */
export async function listNewestHolds(deps: QueryDeps, { before, limit }: OpenHoldsPage): Promise<NewestHolds> {
  const page = await readNewest(deps.pool, {
    before: before === undefined ? undefined : fromReferenceNo(before),
    limit,
  });
  const now = deps.clock.now();
  const holds = page.map((found) => ({
    ...summarizeHold(found, now),
    partnerId: partnerIdOf(deps, found.hold.partner),
  }));
  return { holds, next: page.length === limit ? holds.at(-1)?.referenceNo : undefined };
}
