/** Latencies of one window: every call is kept, so that percentiles are exact. */
import type { Seen } from "./subject.ts";

export interface Latencies {
  add(ms: number): void;
  readonly count: number;
  /** Latencies of a window of so many ms; percentiles of none are 0. */
  seen(elapsedMs: number): Seen;
}

export function createLatencies(): Latencies {
  let values = new Float64Array(1 << 16);
  let count = 0;
  return {
    add: (ms) => {
      if (count === values.length) {
        const grown = new Float64Array(values.length * 2);
        grown.set(values);
        values = grown;
      }
      values[count] = ms;
      count += 1;
    },
    get count() {
      return count;
    },
    seen: (elapsedMs) => {
      const sorted = values.subarray(0, count).toSorted();
      const percentile = (share: number) => sorted[Math.min(count - 1, Math.floor(count * share))] ?? 0;
      return { done: count, elapsedMs, p50Ms: percentile(0.5), p99Ms: percentile(0.99) };
    },
  };
}
