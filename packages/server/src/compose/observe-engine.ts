/** The engine's events as figures and log lines. */
import type { Metrics, Sample } from "../edge/metrics.ts";
import type { Engine } from "../engine/engine.ts";
import type { EngineEvents } from "../engine/events.ts";
import type { ReadTurns } from "../operations/read-turns.ts";
import type { Log } from "../log.ts";

const sizeBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
const secondBuckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5, 10];

export function createEngineEvents(metrics: Metrics, log: Log): EngineEvents {
  const failures = new Map<string, number>();
  let unknown = 0;
  let poison = 0;
  const size = metrics.histogram(
    { name: "titian_flight_commands", help: "Commands of a committed flight." },
    sizeBuckets,
  );
  const seconds = metrics.histogram(
    { name: "titian_flight_seconds", help: "Time of a committed flight from its first trip." },
    secondBuckets,
  );
  const failed = { name: "titian_flight_failures_total", help: "Failed flights by class.", labels: ["class"] };
  metrics.counter(failed, function* (): Generator<Sample> {
    for (const [kind, value] of failures) yield { labels: { class: kind }, value };
  });
  const lost = { name: "titian_unknown_commands_total", help: "Commands answered 500xx00: their commit was lost." };
  metrics.counter(lost, () => unknown);
  metrics.counter({ name: "titian_poison_commands_total", help: "Commands that failed alone." }, () => poison);
  return {
    flown: (commands, ms) => {
      size.observe(commands);
      seconds.observe(ms / 1_000);
    },
    failed: (kind, code, commands) => {
      failures.set(kind, (failures.get(kind) ?? 0) + 1);
      log.warn(`A flight failed (${kind}${code === undefined ? "" : `, ${code}`}).`, { count: commands });
    },
    unknown: (commandId) => {
      unknown += 1;
      log.error(`Command ${commandId} is unknown: its commit was sent and never answered.`);
    },
    poison: (commandId, error) => {
      poison += 1;
      log.error(`Command ${commandId} failed alone.`, { error });
    },
  };
}

export function observeQueues(metrics: Metrics, engine: Engine, turns: Readonly<Record<string, ReadTurns>>): void {
  const depth = { name: "titian_queue_depth", help: "Commands and reads that wait.", labels: ["queue"] };
  metrics.gauge(depth, () => [
    { labels: { queue: "callers" }, value: engine.depth.callers },
    { labels: { queue: "duties" }, value: engine.depth.duties },
    { labels: { queue: "deferred" }, value: engine.depth.deferred },
    ...Object.entries(turns).map(([queue, { waiting }]) => ({ labels: { queue }, value: waiting() })),
  ]);
}
