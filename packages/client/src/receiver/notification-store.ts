/** Record of earlier notifications: each is handled once, however often it arrives. */

/**
 * The event that a notification reports, as its signed body tells it. All attempts and replays have the same one, whatever
 * their headers and the order of their fields are. Numbers are unique at one provider: a store is for one provider.
 */
export interface NotificationKey {
  readonly serviceCode: "21" | "75" | "76";
  /**
   * The provider's number: `originalReferenceNo`, or the `bulkId` of 21. A provider that leaves it out: `partner:` and
   * `originalPartnerReferenceNo`; without both `sha256:` and the body's hash. At most 72 characters.
   */
  readonly number: string;
  /** `latestTransactionStatus`; of 21, which has none, the SHA-256 of its results (64 hex digits). */
  readonly status: string;
  /** `X-EXTERNAL-ID`, for your log. No part of the key: it is not signed, and a copy may carry any other. */
  readonly externalId: string;
  /** SHA-256 of the body's bytes, 64 hex digits, for your log. No part of the key. */
  readonly bodyHash: string;
}

/**
 * Where the receiver records what it handles. A store must outlive restarts and be shared by all processes of the
 * receiver: examples/receivers/postgres-store.ts is one. Keep entries for at least 30 days: a provider can replay.
 */
export interface NotificationStore {
  /**
   * Atomically claims the service, number and status. `new`: this call has claimed them. `done`: handled before. `busy`:
   * another call has claimed them and is not finished; where that call's process died, the claim must end by itself, after
   * more than three times the handler's time limit.
   */
  claim(key: NotificationKey): Promise<"new" | "done" | "busy">;
  /** The handler succeeded: from now on `done`. */
  complete(key: NotificationKey): Promise<void>;
  /** The handler failed: the claim is dropped, the next `claim` is `new`. */
  release(key: NotificationKey): Promise<void>;
}

/**
 * For tests, and for one single process whose handlers may run again after a restart: it forgets everything then. Keeps
 * the newest `maxEntries` (10,000); while that many are being handled, further ones are `busy`.
 */
export function createMemoryStore({ maxEntries = 10_000 }: { readonly maxEntries?: number } = {}): NotificationStore {
  const states = new Map<string, "done" | "busy">();
  const textOf = ({ serviceCode, number, status }: NotificationKey) => `${serviceCode} ${number} ${status}`;

  /** Forgets the oldest notification that is done; false when all are busy. */
  function makeRoom(): boolean {
    if (states.size < maxEntries) return true;
    for (const [key, state] of states) if (state === "done") return states.delete(key);
    return false;
  }

  return {
    async claim(key) {
      const state = states.get(textOf(key));
      if (state !== undefined) return state;
      if (!makeRoom()) return "busy";
      states.set(textOf(key), "busy");
      return "new";
    },
    async complete(key) {
      states.set(textOf(key), "done");
    },
    async release(key) {
      states.delete(textOf(key));
    },
  };
}
