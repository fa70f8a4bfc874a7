/** The engine's events as figures and log lines. */
import type { Metrics, Sample } from "../edge/metrics.ts";
import type { Engine } from "../engine/engine.ts";
import type { EngineEvents } from "../engine/events.ts";
import type { Log } from "../log.ts";

const sizeBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
const secondBuckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5, 10];

export function createEngineEvents(metrics: Metrics, log: Log): EngineEvents {
  const failures = new Map<string, number>();
  let unknown = 0;
  let poison = 0;
  const size = metrics.histogram("titian_flight_commands", "Commands of a committed flight.", sizeBuckets);
  const seconds = metrics.histogram("titian_flight_seconds", "Time of a flight from its first trip.", secondBuckets);
  metrics.counter("titian_flight_failures_total", "Failed flights by class.", function* (): Generator<Sample> {
    for (const [kind, value] of failures) yield { labels: { class: kind }, value };
  });
  metrics.counter("titian_unknown_commands_total", "Commands answered 500 because their commit was lost.", () => unknown);
  metrics.counter("titian_poison_commands_total", "Commands that failed alone.", () => poison);
  return {
    flown: (commands, ms) => {
      size.observe(commands);
      seconds.observe(ms / 1_000);
    },
    failed: (kind, code, commands) => {
      failures.set(kind, (failures.get(kind) ?? 0) + 1);
      log.warn(`a flight failed (${kind}${code === undefined ? "" : `, ${code}`})`, { count: commands });
    },
    unknown: (commandId) => {
      unknown += 1;
      log.error(`command ${commandId} is unknown: its commit was sent and never answered`);
    },
    poison: (commandId, error) => {
      poison += 1;
      log.error(`command ${commandId} failed alone`, { error });
    },
  };
}

export function observeQueue(metrics: Metrics, engine: Engine): void {
  metrics.gauge("titian_queue_depth", "Commands waiting for a flight.", () => [
    { labels: { queue: "callers" }, value: engine.depth.callers },
    { labels: { queue: "duties" }, value: engine.depth.duties },
  ]);
}
