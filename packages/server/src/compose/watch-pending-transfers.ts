/** Pending transfers of all nodes, read from the database, as metrics by rail. */
import type { Clock } from "../clock.ts";
import type { Metrics } from "../observability/metrics.ts";
import { railNames } from "../ledger/rails/terms.ts";
import { type OpenTransfers, readOpenTransfers } from "../store/reads/transfers.ts";
import type { Job } from "../jobs/job.ts";
import type { Core } from "./core.ts";

/** After so long a pending transfer is overdue: an operator should check it (spec D11). */
export const overdueMs = 3_600_000;

/** After each read it rests so many times as long as the read took: the cost stays small with millions pending, too. */
const restsPerRead = 20;

interface WatchDeps extends Pick<Core, "pool"> {
  readonly metrics: Pick<Metrics, "gauge">;
  readonly clock: Pick<Clock, "now" | "monotonic">;
}

/** Registers the metrics; the job reads them anew, unless it rests. What could not be read is not shown. */
export function watchPendingTransfers({ metrics, pool, clock }: WatchDeps): Job {
  let latest: ReadonlyMap<string, OpenTransfers> | undefined;
  let restsUntil = 0;
  const gauge = (metric: { readonly name: string; readonly help: string }, of: (figures: OpenTransfers) => number) =>
    metrics.gauge({ ...metric, labels: ["rail"] }, () => {
      const known = latest;
      if (known === undefined) return [];
      return railNames.map((rail) => {
        const figures = known.get(rail);
        return { labels: { rail }, value: figures === undefined ? 0 : of(figures) };
      });
    });
  gauge({ name: "titian_transfers_pending", help: "Transfers without a final status, by rail." }, ({ open }) => open);
  gauge(
    { name: "titian_transfers_pending_overdue", help: "Transfers pending for over an hour, by rail." },
    ({ longOpen }) => longOpen,
  );
  gauge(
    { name: "titian_transfers_pending_oldest_age_seconds", help: "Age of the oldest pending transfer, by rail." },
    ({ oldestMs }) => oldestMs / 1_000,
  );
  const run = async () => {
    const startedAt = clock.monotonic();
    if (startedAt < restsUntil) return 0;
    try {
      latest = await readOpenTransfers(pool, clock.now(), overdueMs);
      return 1;
    } catch (error) {
      latest = undefined;
      throw error;
    } finally {
      const endedAt = clock.monotonic();
      restsUntil = endedAt + restsPerRead * (endedAt - startedAt);
    }
  };
  return { name: "watch-pending-transfers", everyMs: 10_000, actsOnTime: false, run };
}
