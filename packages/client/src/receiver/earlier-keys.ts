/** Upgrading a receiver whose store has the keys of earlier versions: external id and body hash. */
import type { Clock } from "../clock.ts";
import type { NotificationKey, NotificationStore } from "./notification-store.ts";

/** The key of a notification in earlier versions. */
export type EarlierNotificationKey = Pick<NotificationKey, "externalId" | "bodyHash">;

/** The store of a receiver of an earlier version, as it is. */
export interface EarlierNotificationStore {
  begin(key: EarlierNotificationKey): Promise<"new" | "done" | "busy">;
  done(key: EarlierNotificationKey): Promise<void>;
  failed(key: EarlierNotificationKey): Promise<void>;
}

export interface EarlierKeysOptions {
  /** The store of before, over the same records. */
  readonly earlier: EarlierNotificationStore;
  /** 30 days after the upgrade: as long as a provider can replay. From then on the earlier store is not called. */
  readonly until: Date;
  /** Default: `Date`. */
  readonly clock?: Clock | undefined;
}

/**
 * Keeps what was handled before an upgrade from being handled again, and what is handled now from being handled by a process
 * that still has the earlier version: both keys are looked up and claimed. Remove it, with the earlier store, after `until`.
 * @throws TypeError for invalid options.
 */
export function withEarlierKeys(
  store: NotificationStore,
  { earlier, until, clock = Date }: EarlierKeysOptions,
): NotificationStore {
  if (typeof earlier?.begin !== "function") throw new TypeError("earlier must be the store of an earlier version");
  const end = until instanceof Date ? until.getTime() : Number.NaN;
  if (Number.isNaN(end)) throw new TypeError("until must be a Date: 30 days after the upgrade");
  const isOver = () => clock.now() >= end;
  return {
    async claim(key) {
      if (isOver()) return store.claim(key);
      const before = await earlier.begin(key);
      if (before !== "new") return before;
      const claimed = await store.claim(key).catch(async (error: unknown) => {
        await earlier.failed(key);
        throw error;
      });
      if (claimed === "done") await earlier.done(key);
      if (claimed === "busy") await earlier.failed(key);
      return claimed;
    },
    async complete(key) {
      await store.complete(key);
      if (!isOver()) await earlier.done(key);
    },
    async release(key) {
      await store.release(key);
      if (!isOver()) await earlier.failed(key);
    },
  };
}
