/** Jobs of a node, which nobody calls. Every node runs all of it; each finds by itself what is due. */
import { createExpireHolds } from "../jobs/expire-holds.ts";
import { createMoveClosedHolds } from "../jobs/move-closed-holds.ts";
import { type DueJob, type Job, type StartedJob, startJob } from "../jobs/job.ts";
import { createPruneGrants, createPruneSessions } from "../jobs/prune.ts";
import { createReleaseExternalIds } from "../jobs/release-external-ids.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { Config } from "../config/config.ts";
import { createCarryOutActs } from "./acts/carry-out-acts.ts";
import { createCompaction } from "./compact-accounts.ts";
import { fillSearch } from "./fill-search.ts";
import type { Core } from "./core.ts";
import type { Notifications } from "./notifications/notifications.ts";
import { createPartitionJobs } from "./partitions.ts";
import type { Rails } from "./rails/rails.ts";
import { watchPendingTransfers } from "./observe/watch-pending-transfers.ts";

/** One run's longest time. */
const runMaxMs = 30_000;

export interface Jobs extends AsyncDisposable {
  /** Counts what is due and not done yet. */
  countPending(): Promise<number>;
  /** Runs all of them once; never rejects. One that fails spoils no other; its next run tries again. */
  runAll(): Promise<unknown>;
}

/** `more`: those that belong to what is not here. */
export function startJobs(
  core: Core,
  rails: Rails,
  notifications: Notifications,
  config: Config,
  more: readonly Job[],
): Jobs {
  const { clock, clockCheck, metrics, log, mode } = core;
  const { agrees } = clockCheck;
  const onFailure = (job: string, error: unknown) =>
    log.warn("job.failed", "A job failed; it is retried.", { error, job });
  const startWhile = (mayRun: () => boolean) => (job: Job) =>
    startJob(job, { clock, agrees, mayRun, runMaxMs, onFailure });
  const start = startWhile(() => !mode.isInquiriesOnly());
  const { due, others, first } = jobsOf(core, rails, notifications, config);
  const started = due.map(start);
  const makePartitions = start(first);
  const all = [
    ...started,
    ...[...others, ...more].map(start),
    makePartitions,
    ...rails.comparing.map(startWhile(mode.isInquiriesOnly)),
    startWhile(() => true)(watchPendingTransfers(core)),
  ];
  // After a long rest the partitions of today are missing.
  makePartitions.run().catch((error: unknown) => onFailure(makePartitions.name, error));
  observeJobs(metrics, all);
  // While this node's clock cannot be acted on, nothing is due by it (spec D10).
  const pendingOf = async (job: DueJob) => (!job.actsOnTime || (await agrees()) ? job.pending() : 0);
  return {
    countPending: async () => (await Promise.all(due.map(pendingOf))).reduce((sum, count) => sum + count, 0),
    runAll: () => Promise.allSettled(started.map((job) => job.run())),
    [Symbol.asyncDispose]: async () => void (await Promise.all(all.map((job) => job.close()))),
  };
}

interface JobList {
  readonly due: readonly DueJob[];
  readonly others: readonly Job[];
  /** Runs at once. */
  readonly first: Job;
}

function jobsOf(core: Core, rails: Rails, notifications: Notifications, config: Config): JobList {
  const { engine, pool, adminPool, clock } = core;
  const partitions = createPartitionJobs(core, config);
  const prunes = [createPruneGrants, createPruneSessions].map((create) => create({ pool: adminPool, clock }));
  const { keepExternalIdsMs, idempotencyWindowMs } = config;
  const externalIds = { pool: adminPool, clock, keepMs: keepExternalIdsMs, idempotencyWindowMs };
  const due: readonly DueJob[] = [createExpireHolds({ engine, reads: pool, clock }), ...rails.jobs, notifications.job];
  const closedHolds = createMoveClosedHolds({ pool: adminPool });
  const cleanUp: readonly Job[] = [partitions.drop, ...prunes, createReleaseExternalIds(externalIds), closedHolds];
  return {
    due,
    first: partitions.make,
    others: [...cleanUp, createCompaction(core), createCarryOutActs(core), fillSearch(core, config)],
  };
}

function observeJobs(metrics: Metrics, jobs: readonly StartedJob[]): void {
  const count = (counted: keyof StartedJob["counts"], help: string) =>
    metrics.counter({ name: `titian_job_${counted}_total`, help, labels: ["job"] }, () =>
      jobs.map(({ name, counts }) => ({ labels: { job: name }, value: counts[counted] })),
    );
  count("runs", "Runs of jobs on this node, by job.");
  count("failures", "Failed runs of jobs on this node, by job.");
  count("items", "Items that jobs did on this node, by job.");
}
