/** Latencies of one window: every call is kept, so that percentiles are exact. */

export interface Latencies {
  add(ms: number): void;
  readonly count: number;
  /** The value that a share of all calls did not exceed; 0 when there were none. */
  percentile(share: number): number;
}

export function createLatencies(): Latencies {
  let values = new Float64Array(1 << 16);
  let count = 0;
  let sorted = false;
  return {
    add: (ms) => {
      if (count === values.length) {
        const grown = new Float64Array(values.length * 2);
        grown.set(values);
        values = grown;
      }
      values[count] = ms;
      count += 1;
      sorted = false;
    },
    get count() {
      return count;
    },
    percentile: (share) => {
      if (!sorted) values.subarray(0, count).sort();
      sorted = true;
      return values[Math.min(count - 1, Math.floor(count * share))] ?? 0;
    },
  };
}
