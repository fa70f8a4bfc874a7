/** Bounds of lines: of one event and share so many at once, then so many a second, so that a flood leaves the others theirs. */
import { LRUCache } from "lru-cache";
import type { Clock } from "../../basics/clock.ts";

export const burst = 500;
const perSecond = 20;
const bucketsMax = 10_000;

export interface EventBuckets {
  /** True: there is room for a line. */
  admit(key: string): boolean;
}

export function createEventBuckets(clock: Pick<Clock, "monotonic">): EventBuckets {
  const buckets = new LRUCache<string, { left: number; at: number }>({ max: bucketsMax });
  return {
    admit(key) {
      const now = clock.monotonic();
      const bucket = buckets.get(key) ?? { left: burst, at: now };
      bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) * perSecond) / 1_000);
      bucket.at = now;
      buckets.set(key, bucket);
      if (bucket.left < 1) return false;
      bucket.left -= 1;
      return true;
    },
  };
}
