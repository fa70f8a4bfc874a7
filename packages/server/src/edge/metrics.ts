/**
 * `GET /metrics` in Prometheus' format. Whoever has figures keeps them as plain numbers and hands over a function that
 * reads them: a request never pays for being counted, only a scrape does.
 */
import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

type Labels = Readonly<Record<string, string>>;
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}
/** One figure, or one for each set of labels; read at each scrape. None, where nothing is known: then it is not shown. */
type ReadSamples = () => number | Iterable<Sample>;

/** Names start with `titian_` and end with their unit; `labels` are the names of the samples' labels. */
interface MetricDescription {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** What other parts of the server see of the metrics. */
export interface Metrics {
  /** A figure that only grows while the process lives. */
  counter(metric: MetricDescription, read: ReadSamples): void;
  /** A figure as it is now. */
  gauge(metric: MetricDescription, read: ReadSamples): void;
  /** A distribution; `buckets` are upper bounds in the unit of the name. */
  histogram(metric: MetricDescription, buckets: readonly number[]): { observe(value: number): void };
}

export interface MetricsRegistry extends Metrics {
  readonly contentType: string;
  render(): Promise<string>;
}

/** Beside what is registered it holds the process's own figures, event-loop delay among them. */
export function createMetrics(): MetricsRegistry {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    counter({ name, help, labels = [] }, read) {
      const metric: Counter = new Counter({
        name,
        help,
        registers,
        labelNames: labels,
        collect: () => {
          metric.reset();
          for (const sample of samplesOf(read)) metric.inc(sample.labels, sample.value);
        },
      });
    },
    gauge({ name, help, labels = [] }, read) {
      const metric: Gauge = new Gauge({
        name,
        help,
        registers,
        labelNames: labels,
        collect: () => {
          metric.reset();
          // A reset leaves a figure without labels at 0: nothing known is not nothing there.
          if (labels.length === 0) metric.remove();
          for (const sample of samplesOf(read)) metric.set(sample.labels, sample.value);
        },
      });
    },
    histogram: ({ name, help }, buckets) => new Histogram({ name, help, registers, buckets: [...buckets] }),
    contentType: registry.contentType,
    render: () => registry.metrics(),
  };
}

function samplesOf(read: ReadSamples): Iterable<Sample> {
  const samples = read();
  return typeof samples === "number" ? [{ labels: {}, value: samples }] : samples;
}

export function serveMetrics(app: FastifyInstance, metrics: MetricsRegistry): void {
  app.get("/metrics", async (_request, reply) => reply.type(metrics.contentType).send(await metrics.render()));
}
