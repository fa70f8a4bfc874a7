/** Responses of the operations as metrics: how many, by response case, and how long they took. */
import type { Metrics, Sample } from "../../observability/metrics.ts";
import type { Route } from "./routes.ts";

export function observeResponses(metrics: Metrics, routes: readonly Route[]): void {
  const responses = {
    name: "titian_http_responses_total",
    help: "Responses by operation and response case.",
    labels: ["operation", "case"],
  };
  metrics.counter(responses, function* (): Generator<Sample> {
    for (const { operation, responseForm } of routes) {
      for (const [name, value] of responseForm.counts)
        yield { labels: { operation: operation.name, case: name }, value };
    }
  });
  const durations = {
    name: "titian_http_request_duration_seconds",
    help: "Time from a request's head to its response, by operation, of authenticated requests.",
  };
  metrics.histogram(durations, () =>
    routes
      .filter(({ durations: { count } }) => count > 0)
      .map(({ operation, durations: histogram }) => ({ labels: { operation: operation.name }, histogram })),
  );
}
