/** The job that fills the search, and the metric of how far it is behind. */
import { createFillSearch } from "../admin/search/fill-search.ts";
import type { Retention } from "../config/retention.ts";
import type { Job } from "../jobs/job.ts";
import type { Core } from "./core.ts";

export function fillSearch({ adminPool: pool, clock, secrets, metrics }: Core, config: Retention): Job {
  let behindMs: number | undefined;
  const help =
    "Age of the oldest record that search finds by its numbers alone so far; absent where another node fills it.";
  metrics.gauge({ name: "titian_search_behind_seconds", help }, () =>
    behindMs === undefined ? [] : [{ labels: {}, value: behindMs / 1_000 }],
  );
  return createFillSearch({
    pool,
    clock,
    secrets,
    keepMs: config.keepMs.search_words,
    perSecond: config.searchPerSecond,
    onBehind: (ms) => {
      behindMs = ms;
    },
  });
}
