/** Events of the engine as metrics and log lines. */
import type { Clock } from "../../basics/clock.ts";
import { Histogram } from "../../observability/histogram.ts";
import { limitRate } from "../../observability/limit-rate.ts";
import type { Metrics, Sample } from "../../observability/metrics.ts";
import type { Engine } from "../../engine/engine.ts";
import type { EngineEvents } from "../../engine/batch/events.ts";
import type { FailureClass } from "../../engine/batch/error-class.ts";
import type { PartnerShares } from "../../operations/partner-shares.ts";
import type { Log } from "../../observability/log.ts";
import type { DatabaseFaults } from "./database-faults.ts";

const sizeBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
const secondBounds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5, 10];

/** The classes in the words of metrics and log. */
const classLabels: Readonly<Record<FailureClass, string>> = {
  conflict: "conflict",
  lockWait: "lock_timeout",
  lost: "connection_lost",
  unavailable: "unavailable",
  poison: "command_failed",
};

interface Observers {
  readonly metrics: Metrics;
  readonly log: Log;
  readonly faults: DatabaseFaults;
  readonly clock: Pick<Clock, "monotonic">;
}

/** All but what is told of partners. */
export function createEngineEvents({ metrics, log, faults, clock }: Observers): Omit<EngineEvents, "rejectionStored"> {
  const failures = new Map<FailureClass, number>();
  let unknown = 0;
  let poison = 0;
  const size = new Histogram(sizeBounds);
  const seconds = new Histogram(secondBounds);
  const sizes = { name: "titian_commit_batch_size", help: "Commands of one commit." };
  metrics.histogram(sizes, () => [{ labels: {}, histogram: size }]);
  const durations = { name: "titian_commit_duration_seconds", help: "Time of a commit from its first read." };
  metrics.histogram(durations, () => [{ labels: {}, histogram: seconds }]);
  const failed = { name: "titian_commit_failures_total", help: "Failed commits, by class.", labels: ["class"] };
  metrics.counter(failed, function* (): Generator<Sample> {
    for (const [kind, value] of failures) yield { labels: { class: classLabels[kind] }, value };
  });
  const lost = {
    name: "titian_commands_unknown_outcome_total",
    help: "Commands answered 500xx00 because the result of their commit is unknown.",
  };
  metrics.counter(lost, () => unknown);
  const alone = { name: "titian_commands_failed_total", help: "Commands that failed by themselves." };
  metrics.counter(alone, () => poison);
  const warnFailed = perClass((kind) =>
    limitRate(clock, (count, sqlState: string | undefined) =>
      log.warn("commit.failed", "Commits failed.", { reason: classLabels[kind], sqlState, count }),
    ),
  );
  return {
    committed: (commands, ms) => {
      size.observe(commands);
      seconds.observe(ms / 1_000);
      faults.cleared();
    },
    failed: (kind, sqlState) => {
      failures.set(kind, (failures.get(kind) ?? 0) + 1);
      // Every commit fails then: `unavailable` says so once in a while.
      if (kind !== "unavailable") warnFailed(kind)(sqlState);
    },
    unknown: (commandId) => {
      unknown += 1;
      log.error("command.outcome_unknown", "The result of a commit is unknown.", { commandId });
    },
    unavailable: faults.unavailable,
    tableLocked: faults.tableLocked,
    poison: (commandId, error) => {
      poison += 1;
      log.error("command.failed", "A command failed by itself.", { commandId, error });
    },
  };
}

/** Made once for each class, so that a rare one is told of beside a frequent one. */
function perClass<Value>(make: (kind: FailureClass) => Value): (kind: FailureClass) => Value {
  const made = new Map<FailureClass, Value>();
  return (kind) => {
    const value = made.get(kind) ?? make(kind);
    made.set(kind, value);
    return value;
  };
}

export function observeQueues(metrics: Metrics, engine: Engine, shares: Readonly<Record<string, PartnerShares>>): void {
  const depth = { name: "titian_queue_depth", help: "Commands and reads that wait, by queue.", labels: ["queue"] };
  metrics.gauge(depth, () => [
    { labels: { queue: "requests" }, value: engine.depth.requests },
    { labels: { queue: "jobs" }, value: engine.depth.jobs },
    { labels: { queue: "deferred" }, value: engine.depth.deferred },
    ...Object.entries(shares).map(([queue, { waiting }]) => ({ labels: { queue }, value: waiting() })),
  ]);
}
