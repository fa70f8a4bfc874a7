/**
 * Quotas of what one partner may have stored in a day (spec D17): rejections, and bytes of free-form members. A day's quota may
 * be used up at once; it comes back over a day, so that a partner that has used it up waits for seconds, not until midnight.
 * Each process counts for itself.
 */
import { LRUCache } from "lru-cache";
import type { Clock } from "../../basics/clock.ts";

export type Quota = "rejections" | "bytes";

export interface StoredQuotas {
  /** A rejection of the partner was stored. */
  addRejection(partnerKey: string): void;
  /** Free-form members of an accepted write of the partner were stored. */
  addFreeForm(partnerKey: string, parts: ReadonlyMap<string, Uint8Array>): void;
  /**
   * Whole seconds until more may be stored for the partner; 0: it may now. Nothing is dropped of what was decided: a stored
   * rejection decides older sends, so a write that could bring another is not decided at all.
   */
  admit(partnerKey: string): number;
}

interface StoredQuotasDeps {
  readonly clock: Pick<Clock, "monotonic">;
  readonly limits: { readonly rejectionsPerDay: number; readonly freeFormBytesPerDay: number };
  /** Called for each write that has to wait. */
  readonly onUsedUp: (partnerKey: string, quota: Quota) => void;
}

const daySeconds = 86_400;
/** The partner whose last one is longest ago gives way, which only ever favours a caller. */
const partnersMax = 10_000;

interface Stored {
  rejections: number;
  freeFormBytes: number;
  at: number;
}

export function createStoredQuotas({ clock, limits, onUsedUp }: StoredQuotasDeps): StoredQuotas {
  const partners = new LRUCache<string, Stored>({ max: partnersMax });

  /** Leaves what counts of it now. */
  function drain(stored: Stored): Stored {
    const now = clock.monotonic();
    const days = (now - stored.at) / 1_000 / daySeconds;
    stored.rejections = Math.max(0, stored.rejections - days * limits.rejectionsPerDay);
    stored.freeFormBytes = Math.max(0, stored.freeFormBytes - days * limits.freeFormBytesPerDay);
    stored.at = now;
    return stored;
  }

  function of(partnerKey: string): Stored {
    const found = partners.get(partnerKey);
    if (found !== undefined) return drain(found);
    const stored = { rejections: 0, freeFormBytes: 0, at: clock.monotonic() };
    partners.set(partnerKey, stored);
    return stored;
  }

  return {
    addRejection(partnerKey) {
      of(partnerKey).rejections += 1;
    },
    addFreeForm(partnerKey, parts) {
      if (parts.size === 0) return;
      const stored = of(partnerKey);
      for (const bytes of parts.values()) stored.freeFormBytes += bytes.length;
    },
    admit(partnerKey) {
      const found = partners.get(partnerKey);
      if (found === undefined) return 0;
      const { rejections, freeFormBytes } = drain(found);
      // The next one must fit; how many bytes it will have is not known yet.
      const forRejections = secondsUntil(limits.rejectionsPerDay - 1, rejections, limits.rejectionsPerDay);
      const forFreeForm = secondsUntil(limits.freeFormBytesPerDay, freeFormBytes, limits.freeFormBytesPerDay);
      if (forRejections > 0) onUsedUp(partnerKey, "rejections");
      if (forFreeForm > 0) onUsedUp(partnerKey, "bytes");
      return Math.max(forRejections, forFreeForm);
    },
  };
}

/** Whole seconds until no more than `most` of the value is left. */
function secondsUntil(most: number, value: number, perDay: number): number {
  return value <= most ? 0 : Math.max(1, Math.ceil(((value - most) * daySeconds) / perDay));
}
