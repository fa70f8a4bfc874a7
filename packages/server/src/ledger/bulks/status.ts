/** Status of a bulk, as status inquiries and notification 21 report it (spec D13). */
import { type Bulk, openCount } from "./bulk.ts";

export interface BulkStatus {
  /** 03 until every item has its result; then 06 if none has settled, else 00: a return changes the counts alone. */
  readonly status: "00" | "03" | "06";
  /** `Settled 9997 of 10000` */
  readonly description: string;
}

export function bulkStatus(bulk: Bulk): BulkStatus {
  const ended = bulk.settledCount === 0 ? "06" : "00";
  return {
    status: openCount(bulk) > 0 ? "03" : ended,
    description: `Settled ${settledNow(bulk)} of ${bulk.itemCount}`,
  };
}

/** Items that the beneficiaries' banks have. */
export function settledNow({ settledCount, returnedCount }: Bulk): number {
  return settledCount - returnedCount;
}
