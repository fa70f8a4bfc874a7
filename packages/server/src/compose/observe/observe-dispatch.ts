/** Events of dispatch as metrics and log lines. */
import type { Clock } from "../../basics/clock.ts";
import { countBy } from "../../observability/count-by.ts";
import type { Metrics, Sample } from "../../observability/metrics.ts";
import { toReferenceNo } from "../../basics/ids.ts";
import { type RailName, railNames } from "../../ledger/rails/terms.ts";
import type { TransferEvent } from "../../ledger/transfers/states.ts";
import type { Log } from "../../observability/log.ts";
import type { DispatchEvents } from "../../rails/dispatch-events.ts";
import { RailDown } from "../../rails/rail.ts";
import { RailTimeout } from "../../rails/bounded-calls.ts";
import { InvalidRailResponse } from "../../rails/results/parse-result.ts";
import type { Submitter } from "../../rails/submit-now.ts";

/** A silent rail fails every call, and a database each result: such failures are logged once in so long. */
const logEveryMs = 10_000;

interface Observers {
  readonly metrics: Metrics;
  readonly log: Pick<Log, "warn" | "error">;
  readonly clock: Pick<Clock, "real">;
}

type CallFailure = "timeout" | "unreachable" | "invalid_response" | "error";

/** The events in the words of metrics and log. */
const eventLabels: Readonly<Record<TransferEvent, string>> = {
  submit: "submitted",
  withdraw: "not_submitted",
  acknowledge: "acknowledged",
  settle: "settled",
  reject: "rejected",
  return: "returned",
};

export function createDispatchEvents({ metrics, log, clock }: Observers): Omit<DispatchEvents, "unconfirmed"> {
  const failures = countBy(metrics, {
    name: "titian_rail_call_failures_total",
    help: "Failed calls to rails, by rail and reason.",
    labels: ["rail", "reason"],
  });
  const events = countBy(metrics, {
    name: "titian_transfer_events_total",
    help: "Events of transfers to other banks, by rail and event.",
    labels: ["rail", "event"],
  });
  const conflicts = countBy(
    metrics,
    {
      name: "titian_rail_status_conflicts_total",
      help: "Statuses reported by a rail that conflict with the final status of a transfer, by rail.",
      labels: ["rail"],
    },
    railNames.map((rail) => [rail]),
  );
  const onCircuit = observeCircuit(metrics, log);
  const mayLogCall = createLogGuard(clock);
  const mayLogResult = createLogGuard(clock);
  const notSetAside = new Map<string, number>();
  return {
    circuit: onCircuit,
    callFailed: (rail, error) => {
      const reason = reasonOf(error);
      const count = failures([rail, reason]);
      if (!mayLogCall(rail)) return;
      log.warn("rail.call_failed", "A call to a rail failed.", { rail, reason, count, error });
    },
    late: (rail, id) => {
      const message = "A transfer was not submitted: this node paused after its commit. It is resumed later.";
      log.warn("transfer.submission_late", message, { referenceNo: toReferenceNo(id), rail });
    },
    failed: (rail, id, error) => {
      const message = "Processing a transfer failed; it is resumed later.";
      log.error("transfer.resume_failed", message, { referenceNo: toReferenceNo(id), rail, error });
    },
    recorded: (rail, event) => void events([rail, eventLabels[event]]),
    statusConflict: (rail, referenceNo, status) => {
      conflicts([rail]);
      const message =
        "A rail reported a status that conflicts with the final status; it was set aside for an operator.";
      log.error("rail.status_conflict", message, { referenceNo, rail, status });
    },
    unknownResult: (rail, referenceNo) =>
      log.error("rail.unknown_result", "A rail reported a result for an unknown transfer; it was set aside.", {
        referenceNo,
        rail,
      }),
    notSetAside: ({ rail, referenceNo, state: status, traceNo, comesAgain }, error) => {
      const fields = { referenceNo, rail, status, traceNo, error };
      if (!comesAgain) {
        const message =
          "A status that a rail reported after the final one could not be set aside; it may not come again.";
        return log.error("rail.status_conflict_lost", message, fields);
      }
      const count = (notSetAside.get(rail) ?? 0) + 1;
      notSetAside.set(rail, count);
      if (!mayLogResult(rail)) return;
      const message = "Results of a rail could not be set aside; they are not acknowledged.";
      log.error("rail.set_aside_failed", message, { ...fields, count });
    },
  };
}

/** Says whether a failure of a rail may be logged: once in a while. */
function createLogGuard({ real }: Observers["clock"]): (rail: RailName) => boolean {
  const loggedAt = new Map<RailName, number>();
  return (rail) => {
    const now = real();
    if (now - (loggedAt.get(rail) ?? -Infinity) < logEveryMs) return false;
    loggedAt.set(rail, now);
    return true;
  };
}

function observeCircuit(metrics: Metrics, log: Pick<Log, "warn">): DispatchEvents["circuit"] {
  const circuits = new Map<string, boolean>([["interbank", false]]);
  const circuit = {
    name: "titian_rail_circuit_open",
    help: "1 while account inquiries fail at once because the rail does not respond.",
    labels: ["rail"],
  };
  metrics.gauge(circuit, function* (): Generator<Sample> {
    for (const [rail, isOpen] of circuits) yield { labels: { rail }, value: Number(isOpen) };
  });
  return (rail, isOpen) => {
    circuits.set(rail, isOpen);
    if (isOpen) log.warn("rail.circuit_opened", "A rail does not respond to account inquiries.", { rail });
    else log.warn("rail.circuit_closed", "A rail responds to account inquiries again.", { rail });
  };
}

function reasonOf(error: unknown): CallFailure {
  if (error instanceof RailTimeout) return "timeout";
  if (error instanceof RailDown) return "unreachable";
  return error instanceof InvalidRailResponse ? "invalid_response" : "error";
}

export function observeInFlight(metrics: Metrics, { inFlight }: Pick<Submitter, "inFlight">): void {
  const metric = {
    name: "titian_transfers_in_flight",
    help: "Transfers that this node is submitting, by rail; at most 1,024 each.",
    labels: ["rail"],
  };
  metrics.gauge(metric, () => railNames.map((rail) => ({ labels: { rail }, value: inFlight(rail) })));
}
