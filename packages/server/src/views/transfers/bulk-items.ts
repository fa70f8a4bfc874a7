/** Items of a bulk transfer (20): a page of them, by position. */
import { fromReferenceNo } from "../../basics/ids.ts";
import { type TransferState, transferStates } from "../../ledger/transfers/states.ts";
import { parseFacts } from "../../operations/stored-facts.ts";
import type { ItemFacts } from "../../operations/bulks/bulk-facts.ts";
import { listBulkItems as readBulkItems } from "./bulk-item-rows.ts";
import type { QueryDeps } from "../query-deps.ts";
import { type RejectionSummary, summarizeRejection } from "../rejections.ts";
import { summarizeTransfer, type TransferSummary } from "./transfers.ts";

export interface BulkItemSummary extends TransferSummary {
  /** In the request, from 0. */
  readonly position: number;
  readonly partnerReferenceNo: string;
  /** Requested amount in minor units. */
  readonly amount: bigint;
  /** Of the rail. */
  readonly rejection: RejectionSummary | undefined;
}

/** `unsettled`: neither settled nor waiting for its turn, so what an operator may want to look at. */
export type BulkItemFilter = TransferState | "unsettled" | "all";

export interface BulkItemsPage {
  readonly filter: BulkItemFilter;
  /** Position after which the page starts; undefined: the first. */
  readonly after?: number | undefined;
  readonly limit: number;
}

export interface BulkItems {
  readonly items: readonly BulkItemSummary[];
  /** Position after which the next page starts; undefined on the last page. */
  readonly next: number | undefined;
}

const allStates = Object.keys(transferStates) as readonly TransferState[];

function statesOf(filter: BulkItemFilter): readonly TransferState[] {
  if (filter === "all") return allStates;
  return filter === "unsettled" ? allStates.filter((state) => state !== "settled") : [filter];
}

/** A page of items in the order of the request; empty for an unknown bulkId. */
export async function listBulkItems(
  { pool }: Pick<QueryDeps, "pool">,
  bulkId: string,
  { filter, after, limit }: BulkItemsPage,
): Promise<BulkItems> {
  const bulk = fromReferenceNo(bulkId);
  if (bulk === undefined) return { items: [], next: undefined };
  const page = await readBulkItems(pool, {
    bulk,
    states: statesOf(filter),
    isSubmitted: filter === "unsettled",
    after,
    limit,
  });
  const items = page.map((found): BulkItemSummary => {
    const { transfer, facts, bulkPosition = 0 } = found;
    const { rejection } = transfer;
    return {
      ...summarizeTransfer(found),
      position: bulkPosition,
      partnerReferenceNo: parseFacts<ItemFacts>(facts).request.partnerReferenceNo,
      amount: transfer.dailyLimitAmount,
      rejection: rejection && summarizeRejection(transfer.service, { kind: rejection }),
    };
  });
  return { items, next: page.length === limit ? items.at(-1)?.position : undefined };
}
