/** What was received before: a notification is handled once, however often it arrives. */

/**
 * One notification. The sender keeps `X-EXTERNAL-ID` and body for all attempts. The id alone is no key: the standard lets
 * it be used again the next day, and it is not covered by the signature.
 */
export interface NotificationKey {
  /** 1 to 36 letters, digits, `-`, `_`, `.`. */
  readonly externalId: string;
  /** SHA-256 of the body's bytes, 64 hex digits. */
  readonly bodyHash: string;
}

/**
 * Where the receiver records what it handles. A store must outlive restarts and be shared by all processes of the
 * receiver: examples/receivers/postgres-store.ts is one. Keep entries for at least 30 days: a provider can replay.
 */
export interface NotificationStore {
  /**
   * Atomically claims the notification. `new`: this call has claimed it. `done`: handled before. `busy`: another call has
   * claimed it and is not finished; where that call's process died, the claim must end by itself, after more than the
   * handler's time limit.
   */
  begin(key: NotificationKey): Promise<"new" | "done" | "busy">;
  /** The handler succeeded: from now on `done`. */
  done(key: NotificationKey): Promise<void>;
  /** The handler failed: the claim is dropped, the next `begin` is `new`. */
  failed(key: NotificationKey): Promise<void>;
}

/**
 * For tests, and for one single process whose handlers may run again after a restart: it forgets everything then. Keeps
 * the newest `maxEntries` (10,000); while that many are being handled, further ones are `busy`.
 */
export function createMemoryStore({ maxEntries = 10_000 }: { readonly maxEntries?: number } = {}): NotificationStore {
  const states = new Map<string, "done" | "busy">();
  const textOf = ({ externalId, bodyHash }: NotificationKey) => `${externalId} ${bodyHash}`;

  /** Forgets the oldest notification that is done; false when all are busy. */
  function makeRoom(): boolean {
    if (states.size < maxEntries) return true;
    for (const [key, state] of states) if (state === "done") return states.delete(key);
    return false;
  }

  return {
    async begin(key) {
      const state = states.get(textOf(key));
      if (state !== undefined) return state;
      if (!makeRoom()) return "busy";
      states.set(textOf(key), "busy");
      return "new";
    },
    async done(key) {
      states.set(textOf(key), "done");
    },
    async failed(key) {
      states.delete(textOf(key));
    },
  };
}
