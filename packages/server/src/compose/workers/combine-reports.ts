/** Combined `/metrics` and `/health/ready` of a node of several workers. */
import type { Readiness } from "../../edge/pages/health.ts";

export interface Reported<Report> {
  /** From 1. */
  readonly worker: number;
  /** True: it serves; false while it is started again. */
  readonly isServing: boolean;
  /** Number of times that it ended by itself. */
  readonly restarts: number;
  /** Undefined when it does not serve or does not answer. */
  readonly report: Report | undefined;
}

/** Those that serve must all be ready; of one that is started again the others take the calls. */
export function combineReadiness(all: readonly Reported<Readiness>[]): Readiness {
  const serving = all.filter(({ isServing }) => isServing);
  return {
    ready: serving.length > 0 && serving.every(({ report }) => report?.ready === true),
    checks: {
      workers: all.map(({ worker, isServing, restarts, report }) => ({
        worker,
        serving: isServing,
        answers: report !== undefined,
        restarts,
        ...report,
      })),
    },
  };
}

/** Each sample with the number of its worker, so that counters of one that is started again begin anew by themselves. */
export function combineMetrics(all: readonly Reported<string>[]): string {
  const heads = new Map<string, string>();
  const samples = new Map<string, string[]>();
  const add = (text: string, label: (line: string) => string) => {
    for (const block of text.split(/^(?=# HELP )/m)) {
      const lines = block.split("\n").filter((line) => line !== "");
      const name = lines[0]?.split(" ")[2];
      if (name === undefined) continue;
      heads.set(name, lines.filter((line) => line.startsWith("#")).join("\n"));
      const own = lines.filter((line) => !line.startsWith("#")).map(label);
      samples.set(name, [...(samples.get(name) ?? []), ...own]);
    }
  };
  for (const metric of metricsOf(all)) add(renderMetric(metric), (line) => line);
  for (const { worker, report } of all) add(report ?? "", (line) => labelWith(worker, line));
  return [...heads].map(([name, head]) => `${[head, ...(samples.get(name) ?? [])].join("\n")}\n`).join("\n");
}

/** A sample is a name, labels in braces where it has any, and a value. */
function labelWith(worker: number, line: string): string {
  return line.replace(/^([A-Za-z_:][\w:]*)(\{?)/, (_, name: string, brace: string) =>
    brace === "" ? `${name}{worker="${worker}"}` : `${name}{worker="${worker}",`,
  );
}

interface WorkerMetric {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  readonly values: readonly (readonly [worker: number, value: number])[];
}

function metricsOf(all: readonly Reported<string>[]): readonly WorkerMetric[] {
  return [
    {
      name: "titian_worker_up",
      type: "gauge",
      help: "1 when the worker answers, 0 when it is started again or stuck.",
      values: all.map(({ worker, report }) => [worker, report === undefined ? 0 : 1]),
    },
    {
      name: "titian_worker_restarts_total",
      type: "counter",
      help: "How often the worker ended by itself and was started again.",
      values: all.map(({ worker, restarts }) => [worker, restarts]),
    },
  ];
}

function renderMetric({ name, type, help, values }: WorkerMetric): string {
  const lines = values.map(([worker, value]) => `${name}{worker="${worker}"} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join("\n");
}
