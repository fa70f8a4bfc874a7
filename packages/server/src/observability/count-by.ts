/** Counters with a value for each combination of their labels' values. */
import type { Metrics } from "./metrics.ts";

interface LabeledMetric {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** Adds to the counter of these values of the labels, in their order; returns what it has come to. `by`: 1 when absent. */
export type AddTo = (values: readonly string[], by?: number) => number;

/** Registers a counter. `known`: values of its labels that are shown from the start, as 0. */
export function countBy(metrics: Metrics, metric: LabeledMetric, known: readonly (readonly string[])[] = []): AddTo {
  // By JSON, since a value may hold any separator.
  const counts = new Map<string, { readonly labels: Record<string, string>; value: number }>();
  const add: AddTo = (values, by = 1) => {
    const key = JSON.stringify(values);
    const labels = () => Object.fromEntries(metric.labels.map((label, index) => [label, values[index] ?? ""]));
    const count = counts.get(key) ?? { labels: labels(), value: 0 };
    count.value += by;
    counts.set(key, count);
    return count.value;
  };
  for (const values of known) add(values, 0);
  metrics.counter(metric, () => counts.values());
  return add;
}
