/** Payloads of a bulk and of its items, stored beside their rows. */
import type { Money, RequestOf } from "@titian/contract";
import type { KeptRequest } from "../write.ts";

export type BulkRequest = RequestOf<"interbankBulkTransfer">;
export type BulkItem = BulkRequest["bulkObject"][number];

export interface BulkPayload {
  /** Without its items. */
  readonly request: KeptRequest<"interbankBulkTransfer">;
  readonly itemCount: number;
  /** Item count of the request, where the bulk was written back without items that no rail was handed (ADR 0061). */
  readonly requestedItemCount?: number;
  /** The debited amount, fees included, and the numbers of the debited and credited account. */
  readonly amount: Money;
  readonly from: string;
  readonly to: string;
}

/** Recorded with a rejection. */
export interface RejectedBulkPayload {
  readonly itemCount: number;
  /** Sum of the requested amounts; absent where they are of several currencies, or no response could hold it. */
  readonly total: Money | undefined;
}

/** The payload of an item's record: the item, with what all items of its bulk share. */
export interface ItemPayload {
  readonly request: Omit<BulkItem, "additionalInfo"> & Omit<BulkPayload["request"], "partnerBulkId" | "currency">;
}
