/** Pending transfers, open bulks and results set aside, of all nodes, read from the database, as metrics. */
import type { Clock } from "../../basics/clock.ts";
import type { Metrics } from "../../observability/metrics.ts";
import { railNames } from "../../ledger/rails/terms.ts";
import { type OpenBulks, readOpenBulks } from "../../store/reads/bulks.ts";
import { type OpenTransfers, readOpenTransfers } from "../../store/reads/transfers.ts";
import {
  countDifferences,
  type DifferenceCount,
  differenceKinds,
} from "../../store/tables/rail-records/rail-differences.ts";
import { listStopped } from "../../store/tables/rail-records/rail-leases.ts";
import {
  countSetAside,
  type SetAsideCount,
  setAsideReasons,
} from "../../store/tables/rail-records/set-aside-results.ts";
import { countUnsubmitted } from "../../store/tables/unsubmitted-items.ts";
import { countBreakGlassSessions } from "../../store/tables/operator-sessions.ts";
import { countOverdueActs } from "../../store/tables/acts.ts";
import type { Job } from "../../jobs/job.ts";
import type { Core } from "../core.ts";

/** After so long a pending transfer is overdue: an operator should check it (spec D11). */
export const overdueMs = 3_600_000;

/** After each read it rests so many times as long as the read took: the cost stays small with millions pending, too. */
const restsPerRead = 20;

interface WatchDeps extends Pick<Core, "pool"> {
  readonly metrics: Pick<Metrics, "gauge">;
  readonly clock: Pick<Clock, "now" | "monotonic">;
}

interface Figures {
  /** By rail. */
  readonly transfers: ReadonlyMap<string, OpenTransfers>;
  readonly bulks: OpenBulks;
  /** Items of bulks that were never submitted. */
  readonly waiting: number;
  readonly setAside: readonly SetAsideCount[];
  /** Rails that export nothing, because directory and database differ. */
  readonly stopped: ReadonlySet<string>;
  readonly differences: readonly DifferenceCount[];
  /** Acts that were done at once, and that nobody has approved in time. */
  readonly overdueActs: number;
  /** Open sessions of operators without the identity provider. */
  readonly breakGlass: number;
}

async function readFigures({ pool, clock }: Pick<WatchDeps, "pool" | "clock">): Promise<Figures> {
  const now = clock.now();
  const [transfers, bulks, waiting, setAside, stopped, differences, overdueActs, breakGlass] = await Promise.all([
    readOpenTransfers(pool, now, overdueMs),
    readOpenBulks(pool, now),
    countUnsubmitted(pool),
    countSetAside(pool),
    listStopped(pool),
    countDifferences(pool),
    countOverdueActs(pool),
    countBreakGlassSessions(pool),
  ]);
  const stoppedRails = new Set(stopped.map(({ rail }) => rail));
  return { transfers, bulks, waiting, setAside, stopped: stoppedRails, differences, overdueActs, breakGlass };
}

/** Registers the metrics; the job reads them anew, unless it rests. What could not be read is not shown. */
export function watchPendingTransfers({ metrics, pool, clock }: WatchDeps): Job {
  let latest: Figures | undefined;
  let restsUntil = 0;
  observeTransfers(metrics, () => latest?.transfers);
  observeBulks(metrics, () => latest);
  observeSetAside(metrics, () => latest?.setAside);
  observeStopped(metrics, () => latest?.stopped);
  observeDifferences(metrics, () => latest?.differences);
  observeOperators(metrics, () => latest);
  const run = async () => {
    const startedAt = clock.monotonic();
    if (startedAt < restsUntil) return 0;
    try {
      latest = await readFigures({ pool, clock });
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

function observeOperators(metrics: WatchDeps["metrics"], latest: () => Figures | undefined): void {
  const gauge = (name: string, help: string, of: (figures: Figures) => number) =>
    metrics.gauge({ name, help }, () => {
      const known = latest();
      return known === undefined ? [] : [{ labels: {}, value: of(known) }];
    });
  gauge(
    "titian_acts_overdue",
    "Operators' acts that were done at once, and that nobody has approved within the day.",
    ({ overdueActs }) => overdueActs,
  );
  gauge(
    "titian_break_glass_sessions",
    "Open sessions of operators that were opened without the identity provider.",
    ({ breakGlass }) => breakGlass,
  );
}

function observeTransfers(metrics: WatchDeps["metrics"], latest: () => Figures["transfers"] | undefined): void {
  const gauge = (metric: { readonly name: string; readonly help: string }, of: (figures: OpenTransfers) => number) =>
    metrics.gauge({ ...metric, labels: ["rail"] }, () => {
      const known = latest();
      if (known === undefined) return [];
      return railNames.map((rail) => {
        const figures = known.get(rail);
        return { labels: { rail }, value: figures === undefined ? 0 : of(figures) };
      });
    });
  gauge(
    {
      name: "titian_transfers_pending",
      help: "Transfers without a final status, by rail; without items of bulks that wait for their turn.",
    },
    ({ open }) => open,
  );
  gauge(
    { name: "titian_transfers_pending_overdue", help: "Transfers pending for over an hour, by rail." },
    ({ longOpen }) => longOpen,
  );
  gauge(
    { name: "titian_transfers_pending_oldest_age_seconds", help: "Age of the oldest pending transfer, by rail." },
    ({ oldestMs }) => oldestMs / 1_000,
  );
}

function observeSetAside(metrics: WatchDeps["metrics"], latest: () => Figures["setAside"] | undefined): void {
  const name = "titian_rail_results_set_aside";
  const help = "Results of rails that could not be recorded and that no operator has seen to, by rail and reason.";
  const read = () => latest()?.map(({ rail, reason, count }) => ({ rail, value: reason, count }));
  observeCounts(metrics, { name, help, label: "reason", values: setAsideReasons }, read);
}

function observeDifferences(metrics: WatchDeps["metrics"], latest: () => Figures["differences"] | undefined): void {
  const name = "titian_rail_differences";
  const help = "Differences of rails' directories and the database that no operator has decided on, by rail and kind.";
  const read = () => latest()?.map(({ rail, kind, count }) => ({ rail, value: kind, count }));
  observeCounts(metrics, { name, help, label: "kind", values: differenceKinds }, read);
}

interface CountedMetric {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly values: readonly string[];
}

type Counts = readonly { readonly rail: string; readonly value: string; readonly count: number }[];

/** A sample of each rail and value: an increase from none is seen, too. */
function observeCounts(
  metrics: WatchDeps["metrics"],
  { name, help, label, values }: CountedMetric,
  latest: () => Counts | undefined,
): void {
  metrics.gauge({ name, help, labels: ["rail", label] }, () => {
    const known = latest();
    if (known === undefined) return [];
    const counts = new Map(known.map(({ rail, value, count }) => [`${rail} ${value}`, count]));
    return railNames.flatMap((rail) =>
      values.map((value) => ({ labels: { rail, [label]: value }, value: counts.get(`${rail} ${value}`) ?? 0 })),
    );
  });
}

function observeStopped(metrics: WatchDeps["metrics"], latest: () => Figures["stopped"] | undefined): void {
  const metric = {
    name: "titian_rail_export_stopped",
    help: "1 while a rail of files exports nothing because its directory and the database differ, by rail.",
    labels: ["rail"],
  };
  metrics.gauge(metric, () => {
    const stopped = latest();
    return stopped === undefined
      ? []
      : railNames.map((rail) => ({ labels: { rail }, value: Number(stopped.has(rail)) }));
  });
}

function observeBulks(metrics: WatchDeps["metrics"], latest: () => Figures | undefined): void {
  const gauge = (name: string, help: string, of: (figures: Figures) => number) =>
    metrics.gauge({ name, help, labels: [] }, () => {
      const known = latest();
      return known === undefined ? [] : [{ labels: {}, value: of(known) }];
    });
  gauge("titian_bulks_open", "Bulk transfers with items that have no result yet.", ({ bulks }) => bulks.bulks);
  gauge(
    "titian_bulks_open_oldest_age_seconds",
    "Age of the oldest open bulk transfer.",
    ({ bulks }) => bulks.oldestMs / 1_000,
  );
  gauge("titian_bulk_items_open", "Items of bulk transfers that have no result yet.", ({ bulks }) => bulks.items);
  gauge(
    "titian_bulk_items_waiting",
    "Items of bulk transfers that wait for their turn to be submitted.",
    ({ waiting }) => waiting,
  );
}
