/**
 * `GET /metrics` in Prometheus' format. Each part keeps its own plain numbers and registers a function that reads them: a
 * request never pays for being counted, only a scrape does.
 */
import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Histogram } from "./histogram.ts";

type Labels = Readonly<Record<string, string>>;
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}
interface HistogramSample {
  readonly labels: Labels;
  readonly histogram: Histogram;
}
/** One value, or one for each set of labels; read at each scrape. None where nothing is known: then it is not shown. */
type ReadSamples = () => number | Iterable<Sample>;

/** Names start with `titian_` and end with their unit; `labels` are the names of the samples' labels. */
interface MetricDescription {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** Interface of the metrics for other parts of the server. */
export interface Metrics {
  /** A value that only grows while the process lives. */
  counter(metric: MetricDescription, read: ReadSamples): void;
  /** A value as it is now. */
  gauge(metric: MetricDescription, read: ReadSamples): void;
  /** Distributions, in the unit of the name. */
  histogram(metric: MetricDescription, read: () => readonly HistogramSample[]): void;
}

export interface MetricsRegistry extends Metrics {
  /** The metrics of one cell: with the label `cell` where the node serves several, else plain ones. */
  ofCell(cell: number): Metrics;
  readonly contentType: string;
  render(): Promise<string>;
}

/** Looks at the event loop (ms): every 10 ms, as is usual, they cost an idle node more than all its jobs. */
const lookAtLoopEveryMs = 100;

/** Also has metrics of the process, such as event-loop delay. `byCell`: the node serves several cells. */
export function createMetrics({ byCell = false } = {}): MetricsRegistry {
  const registry = new Registry();
  const plain = createPlainMetrics(registry);
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lookAtLoopEveryMs });
  const ofCell = byCell ? metricsByCell(plain) : () => plain;
  return {
    counter: plain.counter,
    gauge: plain.gauge,
    histogram: plain.histogram,
    ofCell,
    contentType: registry.contentType,
    render: async () => (await registry.metrics()) + plain.renderHistograms(),
  };
}

function createPlainMetrics(registry: Registry): Metrics & { renderHistograms(): string } {
  const optionsOf = ({ name, help, labels = [] }: MetricDescription) => ({
    name,
    help,
    labelNames: labels,
    registers: [registry],
  });
  const histograms: (() => string)[] = [];
  return {
    counter(description, read) {
      const metric: Counter = new Counter({
        ...optionsOf(description),
        collect: () => {
          metric.reset();
          for (const sample of samplesOf(read())) metric.inc(sample.labels, sample.value);
        },
      });
    },
    gauge(description, read) {
      const metric: Gauge = new Gauge({
        ...optionsOf(description),
        collect: () => {
          metric.reset();
          // A reset leaves a gauge without labels at 0, which is not the same as no sample.
          if (!description.labels?.length) metric.remove();
          for (const sample of samplesOf(read())) metric.set(sample.labels, sample.value);
        },
      });
    },
    histogram: ({ name, help }, read) => {
      histograms.push(() => {
        const lines = read().flatMap(({ labels, histogram }) => [...histogram.lines(name, labels)]);
        return ["", `# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines, ""].join("\n");
      });
    },
    renderHistograms: () => histograms.map((render) => render()).join(""),
  };
}

/** Metrics that several cells register under one name: each has the samples of all, with the label `cell`. */
function metricsByCell(plain: Metrics): (cell: number) => Metrics {
  const readers = new Map<string, (() => readonly { readonly labels: Labels }[])[]>();
  /** `register` is called once a name. */
  const join = <Found extends { readonly labels: Labels }>(
    { name, labels = [], help }: MetricDescription,
    read: () => readonly Found[],
    register: (metric: MetricDescription, readAll: () => readonly Found[]) => void,
  ) => {
    const known = readers.get(name);
    if (known) return void known.push(read);
    const all = [read];
    readers.set(name, all);
    register({ name, help, labels: ["cell", ...labels] }, () => all.flatMap((each) => each()));
  };
  return (number) => {
    const cell = String(number);
    const within = <Found extends { readonly labels: Labels }>(found: Iterable<Found>) =>
      Array.from(found, (one) => ({ ...one, labels: { cell, ...one.labels } }));
    return {
      counter: (metric, read) => join(metric, () => within(samplesOf(read())), plain.counter),
      gauge: (metric, read) => join(metric, () => within(samplesOf(read())), plain.gauge),
      histogram: (metric, read) => join(metric, () => within(read()), plain.histogram),
    };
  };
}

function samplesOf(samples: ReturnType<ReadSamples>): Iterable<Sample> {
  return typeof samples === "number" ? [{ labels: {}, value: samples }] : samples;
}

export function serveMetrics(app: FastifyInstance, metrics: MetricsRegistry): void {
  app.get("/metrics", async (_request, reply) => reply.type(metrics.contentType).send(await metrics.render()));
}
