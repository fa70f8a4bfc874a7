/**
 * `X-TIMESTAMP` of each send. The provider orders the sends of one external id by it, and those of one number and content
 * (spec D7): one that is not later than a rejected one is rejected again. It has whole seconds, so two sends of one external
 * id or number within a second get successive seconds; and it never goes back with the clock, so that no repeat is older than
 * the send before it.
 */
import { formatTimestamp } from "@titian/contract";
import type { Clock } from "./clock.ts";

export interface Timestamps {
  /**
   * The time of a send, unique for each external id and each intent, and not before `earliest` (ms):
   * `YYYY-MM-DDThh:mm:ss+07:00`.
   */
  of(externalId: string, intent?: string, earliest?: number): string;
}

/** The provider rejects a timestamp further ahead of its own time (seconds). */
const windowSeconds = 300;

export function createTimestamps(clock: Clock): Timestamps {
  /** Second of the last send by external id, and by intent, while it could be used again. */
  const lastSeconds = new Map<string, number>();
  let current = 0;

  function forgetBefore(second: number): void {
    for (const [key, last] of lastSeconds) if (last < second) lastSeconds.delete(key);
  }

  return {
    of(externalId, intent, earliest = 0) {
      const second = Math.floor(clock.now() / 1_000);
      const isSetBack = second < current && current - second <= windowSeconds;
      const now = isSetBack ? current : second;
      if (now !== current) {
        forgetBefore(now);
        current = now;
      }
      const keys = [externalId, ...(intent === undefined ? [] : [intent])];
      const next = Math.max(now, Math.ceil(earliest / 1_000), ...keys.map((key) => (lastSeconds.get(key) ?? -1) + 1));
      for (const key of keys) lastSeconds.set(key, next);
      return formatTimestamp(next * 1_000);
    },
  };
}
