/**
 * Token buckets of a partner (spec D2 step 9, D17): one of all its calls, and one more for tokens and for look-ups of
 * accounts. Each process has its own; time is real, never the sandbox's.
 */
import { LRUCache } from "lru-cache";
import type { OperationRow } from "@titian/contract";
import type { Instant } from "../../basics/clock.ts";

export interface RateLimit {
  /** Calls a second, in the long run. */
  readonly perSecond: number;
  /** Calls at once, after a pause. */
  readonly burst: number;
}

export interface RateLimiter {
  /**
   * Takes one call. Returns 0 when it is within the limits, else the whole seconds after which one will be; then nothing is
   * taken.
   */
  admit(partnerKey: string, limit: RateLimit, operation: OperationRow, now: Instant): number;
}

/** Services 73 and 74: a token lasts for thousands of calls, and each costs a signature of ours. */
const tokenLimit: RateLimit = { perSecond: 2, burst: 10 };
/** Services 15, 16 and 19: their answers tell which accounts there are, and whose they are. */
const lookUpLimit: RateLimit = { perSecond: 10, burst: 20 };

/** The partner whose calls are longest ago gives way, which only ever favours a caller. */
const partnersMax = 100_000;

interface Buckets {
  readonly all: Bucket;
  readonly tokens: Bucket;
  readonly lookUps: Bucket;
}

export function createRateLimiter(): RateLimiter {
  const partners = new LRUCache<string, Buckets>({ max: partnersMax });

  return {
    admit(partnerKey, limit, operation, now) {
      let buckets = partners.get(partnerKey);
      if (buckets === undefined) {
        buckets = {
          all: new Bucket(limit, now),
          tokens: new Bucket(tokenLimit, now),
          lookUps: new Bucket(lookUpLimit, now),
        };
        partners.set(partnerKey, buckets);
      }
      const own = ownBucket(buckets, operation);
      const wait = Math.max(buckets.all.waitFor(limit, now), own?.waitFor(own.limit, now) ?? 0);
      if (wait > 0) return wait;
      buckets.all.take();
      own?.take();
      return 0;
    },
  };
}

/** The bucket beside that of all calls; undefined: none. */
function ownBucket({ tokens, lookUps }: Buckets, { kind, about }: OperationRow): Bucket | undefined {
  if (kind === "token") return tokens;
  return about.looksUp === undefined ? undefined : lookUps;
}

class Bucket {
  /** As it was when the bucket was made: that of a partner may change. */
  readonly limit: RateLimit;
  #calls: number;
  #at: Instant;

  constructor(limit: RateLimit, at: Instant) {
    this.limit = limit;
    this.#calls = limit.burst;
    this.#at = at;
  }

  /** Whole seconds until a call is within the limit; 0: it is now. */
  waitFor({ perSecond, burst }: RateLimit, now: Instant): number {
    const elapsedMs = Math.max(0, now - this.#at);
    this.#calls = Math.min(burst, this.#calls + (elapsedMs * perSecond) / 1_000);
    this.#at = now;
    return this.#calls >= 1 ? 0 : Math.max(1, Math.ceil((1 - this.#calls) / perSecond));
  }

  take(): void {
    this.#calls -= 1;
  }
}
