/** Switches as this node sees them: a metric, a line in the log, and what waited for a rail is due at once when it opens. */
import { switchNames } from "../../admin/switches.ts";
import { startPolling } from "../../jobs/polling.ts";
import { isRailClosed } from "../../ledger/reference/switches.ts";
import { railNames } from "../../ledger/rails/terms.ts";
import type { Dispatcher } from "../../rails/dispatcher.ts";
import type { Core } from "../core.ts";

type WatchDeps = Pick<Core, "reference" | "nodeMetrics" | "log">;

const everyMs = 500;

export function watchSwitches(
  { reference, nodeMetrics: metrics, log }: WatchDeps,
  { wake }: Pick<Dispatcher, "wake">,
): AsyncDisposable {
  const current = () => reference.current().closed;
  const gauge = {
    name: "titian_switch_closed",
    help: "1 while an operator has closed it: a rail, a service, or the intake of all writes.",
    labels: ["switch"],
  };
  metrics.gauge(gauge, () =>
    switchNames.map((name) => ({ labels: { switch: name }, value: Number(current().has(name)) })),
  );
  let known: ReadonlySet<string> = new Set();
  const look = async () => {
    const [before, now] = [known, current()];
    if (before === now) return;
    for (const name of now)
      if (!before.has(name)) log.warn("switch.closed", "An operator has closed it.", { reason: name });
    for (const name of before)
      if (!now.has(name)) log.warn("switch.opened", "An operator has opened it again.", { reason: name });
    const opened = railNames.filter((rail) => isRailClosed(before, rail) && !isRailClosed(now, rail));
    for (const rail of opened) await wake(rail);
    // Only now: what failed is tried again.
    known = now;
  };
  const polling = startPolling({
    everyMs,
    work: look,
    onError: (error) => log.warn("job.failed", "A job failed; it is retried.", { error, job: "watch-switches" }),
  });
  return { [Symbol.asyncDispose]: () => polling.close() };
}
