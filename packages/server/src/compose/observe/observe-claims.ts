/** Claims whose commit was not confirmed, as a metric and a log line. */
import type { Clock } from "../../basics/clock.ts";
import { countBy } from "../../observability/count-by.ts";
import type { Log } from "../../observability/log.ts";
import type { Metrics } from "../../observability/metrics.ts";

interface Observers {
  readonly metrics: Metrics;
  readonly log: Pick<Log, "warn">;
  readonly clock: Pick<Clock, "monotonic">;
}

const jobs = ["send-bulk-items", "deliver-notifications"] as const;
/** A job logs one line within it. */
const logEveryMs = 10_000;

/** Called for each such claim, with how many items it took. */
export type OnUnconfirmedClaim = (job: (typeof jobs)[number], items: number) => void;

export function observeClaims({ metrics, log, clock }: Observers): OnUnconfirmedClaim {
  const metric = {
    name: "titian_unconfirmed_claims_total",
    help: "Items claimed and not sent, since the commit of their claim was not confirmed, by job.",
    labels: ["job"],
  };
  const unconfirmed = countBy(
    metrics,
    metric,
    jobs.map((job) => [job]),
  );
  const loggedAt = new Map<string, number>();
  return (job, items) => {
    const count = unconfirmed([job], items);
    const now = clock.monotonic();
    if (now - (loggedAt.get(job) ?? -Infinity) < logEveryMs) return;
    loggedAt.set(job, now);
    const message = "PostgreSQL did not confirm the commit of a claim: nothing of it is sent until the claim ends.";
    log.warn("claim.unconfirmed", message, { job, count });
  };
}
