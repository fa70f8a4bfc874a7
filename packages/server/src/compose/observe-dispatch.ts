/** Dispatch's events as figures and log lines. */
import type { Clock } from "../clock.ts";
import type { Metrics, Sample } from "../edge/metrics.ts";
import type { Log } from "../log.ts";
import { toReferenceNo } from "../ids.ts";
import type { DispatchEvents } from "../rails/events.ts";
import type { Sender } from "../rails/sender.ts";
import { type OpenTransfers, readOpenTransfers } from "../store/reads/open-transfers.ts";
import type { Core } from "./core.ts";

/** After so long an open transfer is something an operator should look at (decision D11). */
export const longOpenMs = 3_600_000;

/** A rail that is silent is silent for every transfer: it is told once in so long. */
const tellEveryMs = 10_000;

interface Observers {
  readonly metrics: Metrics;
  readonly log: Pick<Log, "warn" | "error">;
  readonly clock: Pick<Clock, "real">;
}

export function createDispatchEvents({ metrics, log, clock }: Observers): DispatchEvents {
  const silent = new Map<string, number>();
  const toldAt = new Map<string, number>();
  const recorded = new Map<string, number>();
  let contradictions = 0;
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  const silences = { name: "titian_rail_silences_total", help: "Calls to rails without an answer.", labels: ["rail"] };
  metrics.counter(silences, function* (): Generator<Sample> {
    for (const [rail, value] of silent) yield { labels: { rail }, value };
  });
  const news = {
    name: "titian_transfer_events_total",
    help: "What became of transfers over rails, by rail and event.",
    labels: ["rail", "event"],
  };
  metrics.counter(news, function* (): Generator<Sample> {
    for (const [key, value] of recorded) {
      const [rail = "", event = ""] = key.split(" ");
      yield { labels: { rail, event }, value };
    }
  });
  const contradicted = { name: "titian_rail_contradictions_total", help: "Results that say otherwise than before." };
  metrics.counter(contradicted, () => contradictions);
  const open = new Map<string, boolean>([["interbank", false]]);
  const circuit = {
    name: "titian_rail_circuit_open",
    help: "1 while account inquiries are answered without asking the rail, because it is silent.",
    labels: ["rail"],
  };
  metrics.gauge(circuit, function* (): Generator<Sample> {
    for (const [rail, isOpen] of open) yield { labels: { rail }, value: Number(isOpen) };
  });
  return {
    circuit: (rail, isOpen) => {
      open.set(rail, isOpen);
      if (isOpen) log.warn("A rail does not answer account inquiries.", { event: "rail.circuit_opened", rail });
      else log.warn("A rail answers account inquiries again.", { event: "rail.circuit_closed", rail });
    },
    silent: (rail, error) => {
      count(silent, rail);
      const now = clock.real();
      if (now - (toldAt.get(rail) ?? -Infinity) < tellEveryMs) return;
      toldAt.set(rail, now);
      log.warn(`The ${rail} rail did not answer.`, { error, rail, count: silent.get(rail) });
    },
    late: (rail, id) =>
      log.warn("A transfer was not handed over: this node paused after its commit. It is looked after anew.", {
        event: "transfer.submission_late",
        referenceNo: toReferenceNo(id),
        rail,
      }),
    failed: (rail, error) =>
      log.error(`A transfer over the ${rail} rail could not be looked after; it is tried again.`, { error, rail }),
    recorded: (rail, event) => void count(recorded, `${rail} ${event}`),
    contradicted: (referenceNo, event) => {
      contradictions += 1;
      log.error(`A rail says "${event}" of ${referenceNo}, which has ended otherwise: an operator must look.`);
    },
    unknownResult: (rail, referenceNo) =>
      log.error(`The ${rail} rail tells of ${referenceNo}, which is none of our transfers: it is not told again.`),
  };
}

interface WatchDeps extends Pick<Core, "pool"> {
  readonly metrics: Pick<Metrics, "gauge">;
  readonly clock: Pick<Clock, "now" | "monotonic">;
}

export function observeSending(metrics: Metrics, { underWay }: Pick<Sender, "underWay">): void {
  const sending = { name: "titian_transfers_sending", help: "Transfers being handed to rails: at most 1,024 each." };
  metrics.gauge(sending, () => underWay().length);
}

/** A look at the open transfers rests so many times as long as it took: of millions, too, it costs next to nothing. */
const restsPerLook = 20;

/**
 * Open transfers, and those open for too long; the work returned looks again, unless a look took so long that it rests.
 * Figures that could not be read are not shown.
 */
export function watchOpenTransfers({ metrics, pool, clock }: WatchDeps): () => Promise<void> {
  let latest: OpenTransfers | undefined;
  let restsUntil = 0;
  const gauge = (name: string, help: string, of: (figures: OpenTransfers) => number) =>
    metrics.gauge({ name, help }, () => (latest ? of(latest) : []));
  gauge("titian_open_transfers", "Transfers whose result is awaited.", ({ open }) => open);
  gauge("titian_long_open_transfers", "Those open for over an hour: titian transfer list.", ({ longOpen }) => longOpen);
  gauge("titian_oldest_open_transfer_seconds", "Age of the oldest open transfer.", ({ oldestMs }) => oldestMs / 1_000);
  return async () => {
    const startedAt = clock.monotonic();
    if (startedAt < restsUntil) return;
    try {
      latest = await readOpenTransfers(pool, clock.now(), longOpenMs);
    } catch (error) {
      latest = undefined;
      throw error;
    } finally {
      const endedAt = clock.monotonic();
      restsUntil = endedAt + restsPerLook * (endedAt - startedAt);
    }
  };
}
