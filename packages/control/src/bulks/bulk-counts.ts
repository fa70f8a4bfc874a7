import { integer } from "@titian/contract";
import type { BulkSummary } from "@titian/server/admin";

/** The four results add up to `items`. */
export const bulkCounts = {
  items: integer(),
  settled: integer(),
  rejected: integer(),
  returned: integer(),
  open: integer(),
};

type Counted = "itemCount" | "settledCount" | "rejectedCount" | "returnedCount" | "openCount";

export function countItems({
  itemCount,
  settledCount,
  rejectedCount,
  returnedCount,
  openCount,
}: Pick<BulkSummary, Counted>) {
  return {
    items: itemCount,
    settled: settledCount,
    rejected: rejectedCount,
    returned: returnedCount,
    open: openCount,
  };
}
