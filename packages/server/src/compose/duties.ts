/** What nobody calls. Every node runs all of it; each finds by itself what is due. */
import { startPolling } from "../admin/polling.ts";
import type { ClockCheck } from "../duties/clock-check.ts";
import type { Duty } from "../duties/duty.ts";
import { createExpireHolds } from "../duties/expire-holds.ts";
import { pruneGrants } from "../duties/prune-grants.ts";
import { pruneRefusals } from "../duties/prune-refusals.ts";
import type { DueWork } from "../sandbox/control/clock-calls.ts";
import type { Core } from "./core.ts";
import { createDueWork, settleMs } from "./due-work.ts";
import type { Rails } from "./rails.ts";
import { watchPendingTransfers } from "./watch-pending-transfers.ts";

/** The available balance follows an expiry within 5 s (decision D10). */
const dueEveryMs = 1_000;
const pruneEveryMs = 3_600_000;
const watchEveryMs = 10_000;

export function startDuties(core: Core, rails: Rails): DueWork & AsyncDisposable {
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
  poll("prune-refusals", pruneEveryMs, () => prune(pruneRefusals));
  poll("prune-grants", pruneEveryMs, () => prune(pruneGrants));
  poll("watch-pending-transfers", watchEveryMs, watchPendingTransfers(core));
  const all: readonly Duty[] = [createExpireHolds({ engine, reads: pool, clock }), ...rails.duties];
  const duties = all.map((duty) => (duty.actsOnTime ? byTheClock(duty, clockCheck) : duty));
  const pollings = duties.map((duty) => poll(duty.name, dueEveryMs, () => duty.run(clock.real() + settleMs)));
  // One that fails, as with a rail that is down, spoils no other; its polling tries again, and tells.
  const runAll = () => Promise.allSettled(pollings.map((polling) => polling.run()));
  return {
    ...createDueWork({ clock, duties, runAll, rails }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** The duty, which does nothing and has nothing to do while this node's clock cannot be acted on (decision D10). */
function byTheClock(duty: Duty, { agrees }: ClockCheck): Duty {
  return {
    ...duty,
    run: async (until) => {
      if (await agrees()) await duty.run(until, agrees);
    },
    pending: async () => ((await agrees()) ? duty.pending() : 0),
  };
}
