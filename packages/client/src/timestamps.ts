/**
 * `X-TIMESTAMP` of each send. A repeat must be newly signed: the provider takes the same signature for a copy of the
 * refused call and refuses it again (decision D7). The time has whole seconds, so two sends of one external id within
 * a second are given successive seconds.
 */
import { formatTimestamp } from "@titian/contract";
import type { Clock } from "./clock.ts";

export interface Timestamps {
  /** The time of a send, never the same twice for one external id: `YYYY-MM-DDThh:mm:ss+07:00`. */
  of(externalId: string): string;
}

export function createTimestamps(clock: Clock): Timestamps {
  /** Second of the last send by external id, as long as it could be given out again. */
  const lastSeconds = new Map<string, number>();
  let current = 0;

  function forgetBefore(second: number): void {
    for (const [externalId, last] of lastSeconds) if (last < second) lastSeconds.delete(externalId);
  }

  return {
    of(externalId) {
      const now = Math.floor(clock.now() / 1_000);
      if (now !== current) {
        forgetBefore(now);
        current = now;
      }
      const last = lastSeconds.get(externalId);
      const second = last === undefined ? now : Math.max(now, last + 1);
      lastSeconds.set(externalId, second);
      return formatTimestamp(second * 1_000);
    },
  };
}
