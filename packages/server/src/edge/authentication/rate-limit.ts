/** One token bucket per partner (spec D2 step 9, D17). Each process has its own; time is real, never the sandbox's. */
import { LRUCache } from "lru-cache";
import type { Instant } from "../../basics/clock.ts";

interface RateLimit {
  /** Calls a second, in the long run. */
  readonly perSecond: number;
  /** Calls at once, after a pause. */
  readonly burst: number;
}

export interface RateLimiter {
  /** Takes one call. Returns 0 when it is within the limit, else the whole seconds after which one will be. */
  admit(partnerKey: string, limit: RateLimit, now: Instant): number;
}

/** The least recently used bucket gives way, which only ever favours a caller. */
const bucketsMax = 100_000;

export function createRateLimiter(): RateLimiter {
  const buckets = new LRUCache<string, { tokens: number; at: Instant }>({ max: bucketsMax });
  return {
    admit(partnerKey, limit, now) {
      let bucket = buckets.get(partnerKey);
      if (bucket === undefined) {
        bucket = { tokens: limit.burst, at: now };
        buckets.set(partnerKey, bucket);
      }
      const elapsedMs = Math.max(0, now - bucket.at);
      bucket.tokens = Math.min(limit.burst, bucket.tokens + (elapsedMs * limit.perSecond) / 1_000);
      bucket.at = now;
      if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / limit.perSecond));
      bucket.tokens -= 1;
      return 0;
    },
  };
}
