/**
 * `GET /metrics` in Prometheus' format. Whoever has figures keeps them as plain numbers and hands over a function that
 * reads them: a request never pays for being counted, only a scrape does.
 */
import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export type Labels = Readonly<Record<string, string>>;
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}
/** One figure, or one for each set of labels; read at each scrape. */
export type ReadSamples = () => number | Iterable<Sample>;

/** What other parts of the server see of the metrics. Names start with `titian_` and end with their unit. */
export interface Metrics {
  /** A figure that only grows while the process lives. */
  counter(name: string, help: string, read: ReadSamples): void;
  /** A figure as it is now. */
  gauge(name: string, help: string, read: ReadSamples): void;
  /** A distribution; `buckets` are upper bounds in the unit of the name. */
  histogram(name: string, help: string, buckets: readonly number[]): { observe(value: number): void };
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
    counter(name, help, read) {
      const metric: Counter = new Counter({
        ...{ name, help, registers, labelNames: [] },
        collect: () => {
          metric.reset();
          for (const { labels, value } of samplesOf(read)) metric.inc(labels, value);
        },
      });
    },
    gauge(name, help, read) {
      const metric: Gauge = new Gauge({
        ...{ name, help, registers, labelNames: [] },
        collect: () => {
          metric.reset();
          for (const { labels, value } of samplesOf(read)) metric.set(labels, value);
        },
      });
    },
    histogram: (name, help, buckets) => new Histogram({ name, help, registers, buckets: [...buckets] }),
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
