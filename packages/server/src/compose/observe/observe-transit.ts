/** Shippers between cells as metrics and log lines. */
import type { Log } from "../../observability/log.ts";
import { countBy } from "../../observability/count-by.ts";
import type { Metrics, Sample } from "../../observability/metrics.ts";
import type { TransitShipper } from "../../transit/ship-transit.ts";
import type { TransitEvents } from "../../transit/transit-events.ts";

interface Observers {
  readonly metrics: Metrics;
  readonly log: Pick<Log, "warn" | "error">;
}

export interface TransitObserver {
  /** Events of the shipper from one cell to another. */
  eventsOf(from: number, to: number): TransitEvents;
  /** Shows how far that shipper is behind. */
  add(from: number, to: number, shipper: Pick<TransitShipper, "behind">): void;
}

const pair = ["from", "to"];

export function observeTransit({ metrics, log }: Observers): TransitObserver {
  const shippers: { readonly labels: Sample["labels"]; readonly shipper: Pick<TransitShipper, "behind"> }[] = [];
  const mirrored = countBy(metrics, {
    name: "titian_transit_mirrored_total",
    help: "Payments from another cell that this node credited, by cells and result.",
    labels: [...pair, "result"],
  });
  const stopped = new Map<string, Sample>();
  const stoppedMetric = {
    name: "titian_transit_stopped",
    help: "1 while payments from one cell to another are stopped, by cells, currency and reason.",
    labels: [...pair, "currency", "reason"],
  };
  metrics.gauge(stoppedMetric, () => stopped.values());
  const behind = function* (kind: "entries" | "seconds"): Generator<Sample> {
    for (const { labels, shipper } of shippers) {
      const found = shipper.behind();
      if (found) yield { labels, value: found[kind] };
    }
  };
  const entriesHelp = "Payments to another cell that are not credited there yet, by cells.";
  metrics.gauge({ name: "titian_transit_behind", help: entriesHelp, labels: pair }, () => behind("entries"));
  const secondsHelp = "Age of the oldest payment to another cell that is not credited there yet, by cells.";
  metrics.gauge({ name: "titian_transit_behind_seconds", help: secondsHelp, labels: pair }, () => behind("seconds"));

  return {
    add: (from, to, shipper) => void shippers.push({ labels: labelsOf(from, to), shipper }),
    eventsOf: (from, to) => {
      const cells = { fromCell: from, toCell: to };
      return {
        stopped: ({ currency, reason, mirrored: count }) => {
          stopped.set(`${from} ${to} ${currency}`, { labels: { ...labelsOf(from, to), currency, reason }, value: 1 });
          const message = "Payments to another cell are stopped: the two cells do not agree. Nothing of them is lost.";
          log.error("transit.stopped", message, { ...cells, currency, reason, count });
        },
        resumed: ({ currency, reason }) => {
          stopped.delete(`${from} ${to} ${currency}`);
          const message = "Payments to another cell go on.";
          log.warn("transit.resumed", message, { ...cells, currency, reason });
        },
        away: (cell, error) => {
          const message = "Payments to another cell wait for the database of a cell.";
          log.warn("transit.waiting", message, { ...cells, cell, error });
        },
        back: (cell) => {
          log.warn("transit.shipping", "Payments to another cell wait for no database any more.", { ...cells, cell });
        },
        mirrored: (credited, diverted) => {
          if (credited > 0) mirrored([String(from), String(to), "credited"], credited);
          if (diverted > 0) mirrored([String(from), String(to), "diverted"], diverted);
        },
      };
    },
  };
}

function labelsOf(from: number, to: number): Sample["labels"] {
  return { from: String(from), to: String(to) };
}
