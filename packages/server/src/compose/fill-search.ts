/** The job that fills the search, and the metric of how far it is behind. */
import { createFillSearch } from "../admin/search/fill-search.ts";
import type { Retention } from "../config/retention.ts";
import type { Job } from "../jobs/job.ts";
import type { Core } from "./core.ts";

/** Commands that wait at one moment where a node has more to do than it can. */
const busyDepth = 32;

export function fillSearch({ adminPool: pool, clock, secrets, metrics, engine }: Core, config: Retention): Job {
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
    isBusy: () => engine.depth.requests >= busyDepth,
    onBehind: (ms) => {
      behindMs = ms;
    },
  });
}
