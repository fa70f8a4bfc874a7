/** What nobody calls. Every node runs all of it; each finds by itself what is due. */
import { startPolling } from "../jobs/polling.ts";
import type { ClockCheck } from "../jobs/clock-check.ts";
import type { Job } from "../jobs/job.ts";
import { createExpireHolds } from "../jobs/expire-holds.ts";
import { pruneGrants } from "../jobs/prune-grants.ts";
import { pruneRejections } from "../jobs/prune-rejections.ts";
import type { DueWork } from "../sandbox/control/clock-calls.ts";
import type { Core } from "./core.ts";
import { createDueWork, settleMs } from "./due-work.ts";
import type { Rails } from "./rails.ts";
import { watchPendingTransfers } from "./watch-pending-transfers.ts";

/** The available balance follows an expiry within 5 s (spec D10). */
const dueEveryMs = 1_000;
const pruneEveryMs = 3_600_000;
const watchEveryMs = 10_000;

export function startJobs(core: Core, rails: Rails): DueWork & AsyncDisposable {
  const { engine, pool, adminPool, clock, clockCheck, log } = core;
  const stack = new AsyncDisposableStack();
  const poll = (name: string, everyMs: number, work: () => Promise<void>) => {
    const onError = (error: unknown) => log.warn("job.failed", "A job failed; it is retried.", { error, job: name });
    const polling = startPolling({ everyMs, work, onError });
    stack.defer(() => polling.close());
    return polling;
  };
  const prune = async (work: typeof pruneGrants) => {
    if (await clockCheck.agrees()) await work({ pool: adminPool, clock });
  };
  poll("prune-rejections", pruneEveryMs, () => prune(pruneRejections));
  poll("prune-grants", pruneEveryMs, () => prune(pruneGrants));
  poll("watch-pending-transfers", watchEveryMs, watchPendingTransfers(core));
  const all: readonly Job[] = [createExpireHolds({ engine, reads: pool, clock }), ...rails.jobs];
  const jobs = all.map((job) => (job.actsOnTime ? byTheClock(job, clockCheck) : job));
  const pollings = jobs.map((job) => poll(job.name, dueEveryMs, () => job.run(clock.real() + settleMs)));
  // One that fails, as with a rail that is down, spoils no other; its polling tries again, and tells.
  const runAll = () => Promise.allSettled(pollings.map((polling) => polling.run()));
  return {
    ...createDueWork({ clock, jobs, runAll, rails }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** The job, which does nothing and has nothing to do while this node's clock cannot be acted on (spec D10). */
function byTheClock(job: Job, { agrees }: ClockCheck): Job {
  return {
    ...job,
    run: async (until) => {
      if (await agrees()) await job.run(until, agrees);
    },
    pending: async () => ((await agrees()) ? job.pending() : 0),
  };
}
