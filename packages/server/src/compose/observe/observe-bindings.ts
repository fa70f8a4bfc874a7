/** Bindings of keys in home as metrics and log lines. */
import { Histogram } from "../../observability/histogram.ts";
import { limitRate } from "../../observability/limit-rate.ts";
import type { BinderEvents } from "../../operations/cells/key-binder.ts";
import type { Core } from "../core.ts";

const secondBounds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2];

/** `hasCells`: the settings name cells beside home; without any there is nothing to show. */
export function observeBindings(
  { clock, nodeMetrics: metrics, log }: Pick<Core, "clock" | "nodeMetrics" | "log">,
  hasCells: boolean,
): BinderEvents {
  let keys = 0;
  let unavailable = 0;
  const seconds = new Histogram(secondBounds);
  if (hasCells) {
    const all = { name: "titian_bound_keys_total", help: "Keys of calls that this node looked up or bound in home." };
    metrics.counter(all, () => keys);
    const waits = { name: "titian_key_binding_seconds", help: "Time for which a call waited until home had its keys." };
    metrics.histogram(waits, () => [{ labels: {}, histogram: seconds }]);
    const lost = {
      name: "titian_key_bindings_unavailable_total",
      help: "Calls answered 503xx00 because home did not confirm their keys in time.",
    };
    metrics.counter(lost, () => unavailable);
  }
  const warn = limitRate(clock, (count, error: unknown) => {
    const message = "Home does not confirm keys of calls: calls of partners with several cells are answered 503xx00.";
    log.warn("keys.unbound", message, { count, error });
  });
  return {
    bound: (count, ms) => {
      keys += count;
      seconds.observe(ms / 1_000);
    },
    unavailable: (error) => {
      unavailable += 1;
      warn(error);
    },
  };
}
