/** Durations by size, for percentiles within 5 %. Adding one allocates nothing. */

/** Buckets to the double. */
const perDouble = 8;
const smallestMs = 0.05;
/** Up to about ten minutes. */
const bucketCount = 24 * perDouble;

export interface Latencies {
  add(ms: number): void;
  /** The duration that this share of them do not exceed (0 to 1); undefined when there are none. */
  percentile(share: number): number | undefined;
}

export function createLatencies(): Latencies {
  const counts = new Uint32Array(bucketCount);
  let total = 0;
  return {
    add(ms) {
      const bucket = Math.ceil(Math.log2(Math.max(ms, smallestMs) / smallestMs) * perDouble);
      const at = Math.min(bucket, bucketCount - 1);
      counts[at] = (counts[at] ?? 0) + 1;
      total += 1;
    },
    percentile(share) {
      let left = Math.max(1, Math.ceil(total * share));
      for (const [bucket, count] of counts.entries()) {
        left -= count;
        // The middle of the bucket.
        if (total > 0 && left <= 0) return smallestMs * 2 ** ((bucket - 0.5) / perDouble);
      }
      return undefined;
    },
  };
}
