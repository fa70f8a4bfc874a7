/** What nobody calls. Every node runs all of it; each finds by itself what is due. */
import { setTimeout as sleep } from "node:timers/promises";
import { startPolling } from "../admin/polling.ts";
import type { Duty } from "../duties/duty.ts";
import { createExpireHolds } from "../duties/expire-holds.ts";
import { pruneGrants } from "../duties/prune-grants.ts";
import { pruneRefusals } from "../duties/prune-refusals.ts";
import type { DueWork } from "../sandbox/control/clock-calls.ts";
import type { Core } from "./core.ts";
import { watchOpenTransfers } from "./observe-dispatch.ts";

/** The available balance follows an expiry within 5 s (decision D10). */
const dueEveryMs = 1_000;
const pruneEveryMs = 3_600_000;
const watchEveryMs = 10_000;
/** How long a move of the sandbox's clock waits for what it made due. */
const settleMs = 30_000;

export function startDuties(core: Core, ofRails: readonly Duty[]): DueWork & AsyncDisposable {
  const { engine, pool, adminPool, clock, log } = core;
  const stack = new AsyncDisposableStack();
  const poll = (name: string, everyMs: number, work: () => Promise<void>) => {
    const onError = (error: unknown) => log.warn("A duty failed; it is tried again.", { error, duty: name });
    const polling = startPolling({ everyMs, work, onError });
    stack.defer(() => polling.close());
    return polling;
  };
  poll("prune-refusals", pruneEveryMs, async () => void (await pruneRefusals({ pool: adminPool, clock })));
  poll("prune-grants", pruneEveryMs, async () => void (await pruneGrants({ pool: adminPool, clock })));
  poll("watch-open-transfers", watchEveryMs, watchOpenTransfers(core));
  const duties: readonly Duty[] = [createExpireHolds({ engine, reads: pool, clock }), ...ofRails];
  const pollings = duties.map((duty) => poll(duty.name, dueEveryMs, () => duty.run(clock.real() + settleMs)));
  const pending = async () =>
    (await Promise.all(duties.map((duty) => duty.pending()))).reduce((sum, one) => sum + one, 0);
  return {
    settle: async () => {
      const until = clock.real() + settleMs;
      // What one duty does may make work for another: a transfer sent now has its result a moment later.
      do await within(until - clock.real(), Promise.all(pollings.map((polling) => polling.run())));
      while ((await pending()) > 0 && clock.real() < until);
    },
    pending,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Waits for the work, but no longer than so many milliseconds; it goes on by itself. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, sleep(ms, undefined, { ref: false })]);
}
