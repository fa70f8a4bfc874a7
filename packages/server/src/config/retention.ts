/** Settings of partitions, and of how long is kept what is not kept for ever (docs/guides/database-growth.md). */
import { whole } from "./types.ts";

export interface Retention {
  /** Length of the period of a partition. */
  readonly partitionPeriodMs: number;
  /** Time for which external ids are kept, at least their window. */
  readonly keepExternalIdsMs: number;
  /** Shortest time for which rows of these tables are kept. */
  readonly keepMs: Readonly<Record<"rejected_requests" | "delivery_attempts" | "search_words" | "kept_calls", number>>;
  /** Records a second, at most, that this node makes words of; and calls that it keeps. */
  readonly searchPerSecond: number;
}

export const retentionVariables = {
  TITIAN_PARTITION_DAYS: whole(1, 31, 7, "days"),
  TITIAN_KEEP_EXTERNAL_IDS_DAYS: whole(1, 3_650, 7, "days"),
  TITIAN_KEEP_REJECTIONS_DAYS: whole(7, 3_650, 90, "days"),
  TITIAN_KEEP_DELIVERY_ATTEMPTS_DAYS: whole(7, 3_650, 90, "days"),
  TITIAN_KEEP_SEARCH_DAYS: whole(7, 3_650, 400, "days"),
  TITIAN_SEARCH_RECORDS_PER_SECOND: whole(1, 100_000, 250, "records"),
};

type Numbers = Readonly<Record<keyof typeof retentionVariables, number>>;

const dayMs = 86_400_000;

export function readRetention(days: Numbers): Retention {
  return {
    partitionPeriodMs: days.TITIAN_PARTITION_DAYS * dayMs,
    keepExternalIdsMs: days.TITIAN_KEEP_EXTERNAL_IDS_DAYS * dayMs,
    keepMs: {
      rejected_requests: days.TITIAN_KEEP_REJECTIONS_DAYS * dayMs,
      delivery_attempts: days.TITIAN_KEEP_DELIVERY_ATTEMPTS_DAYS * dayMs,
      search_words: days.TITIAN_KEEP_SEARCH_DAYS * dayMs,
      kept_calls: days.TITIAN_KEEP_SEARCH_DAYS * dayMs,
    },
    searchPerSecond: days.TITIAN_SEARCH_RECORDS_PER_SECOND,
  };
}
