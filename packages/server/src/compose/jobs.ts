/** What nobody calls. Every node runs all of it; each finds by itself what is due. */
import { createExpireHolds } from "../jobs/expire-holds.ts";
import { type DueJob, type Job, type StartedJob, startJob } from "../jobs/job.ts";
import { createPruneGrants, createPruneRejections } from "../jobs/prune.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { DueWork } from "../sandbox/control/clock-calls.ts";
import type { Core } from "./core.ts";
import { createDueWork, settleMs } from "./due-work.ts";
import type { Rails } from "./rails.ts";
import { watchPendingTransfers } from "./watch-pending-transfers.ts";

export function startJobs(core: Core, rails: Rails): DueWork & AsyncDisposable {
  const { engine, pool, adminPool, clock, clockCheck, metrics, log } = core;
  const stack = new AsyncDisposableStack();
  const { agrees } = clockCheck;
  const onFailure = (job: string, error: unknown) =>
    log.warn("job.failed", "A job failed; it is retried.", { error, job });
  const start = (job: Job): StartedJob => {
    const started = startJob(job, { clock, agrees, runMaxMs: settleMs, onFailure });
    stack.defer(() => started.close());
    return started;
  };
  const pruning = { pool: adminPool, clock };
  const others = [createPruneRejections(pruning), createPruneGrants(pruning), watchPendingTransfers(core)].map(start);
  const due: readonly DueJob[] = [createExpireHolds({ engine, reads: pool, clock }), ...rails.jobs];
  const started = due.map(start);
  observeJobs(metrics, [...others, ...started]);
  // One that fails, as with a rail that is down, spoils no other; its next run tries again.
  const runAll = () => Promise.allSettled(started.map((job) => job.run()));
  // While this node's clock cannot be acted on, nothing is due by it (spec D10).
  const pendingOf = async (job: DueJob) => (!job.actsOnTime || (await agrees()) ? job.pending() : 0);
  const countPending = async () => (await Promise.all(due.map(pendingOf))).reduce((sum, count) => sum + count, 0);
  return {
    ...createDueWork({ clock, countPending, runAll, rails }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
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
