/** Counts the result of an item on its bulk, in the commit that records it (spec D13). */
import { minor } from "../money.ts";
import type { RailTransfer } from "../transfers/transfer.ts";
import type { TransferState } from "../transfers/states.ts";
import { type Bulk, openCount } from "./bulk.ts";

/** The bulk after the item came to its state; undefined where that is no result. */
export function countResult(bulk: Bulk, item: RailTransfer, now: number): Bulk | undefined {
  const counted = withResult(bulk, item, item.state);
  if (!counted) return undefined;
  const isEnd = openCount(counted) === 0 && bulk.endedAt === undefined;
  return isEnd ? { ...counted, endedAt: now } : counted;
}

/** True when the change gave the last item its result: then notification 21 is due. */
export function hasEnded(before: Bulk, after: Bulk): boolean {
  return before.endedAt === undefined && after.endedAt !== undefined;
}

function withResult(bulk: Bulk, item: RailTransfer, state: TransferState): Bulk | undefined {
  switch (state) {
    case "settled":
      return { ...bulk, settledCount: bulk.settledCount + 1 };
    case "returned":
      return { ...bulk, returnedCount: bulk.returnedCount + 1 };
    case "rejected":
      return {
        ...bulk,
        rejectedCount: bulk.rejectedCount + 1,
        rejectedAmount: minor(bulk.rejectedAmount + item.dailyLimitAmount),
        rejectedFee: minor(bulk.rejectedFee + item.fee),
      };
    default:
      return undefined;
  }
}
