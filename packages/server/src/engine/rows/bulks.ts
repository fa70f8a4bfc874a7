/**
 * Bulks (20). The items of a new one are written before anything is locked: its command runs alone on the heavy pipeline,
 * and a bulk that is not accepted takes its items back.
 */
import type { Bulk } from "../../ledger/bulks/bulk.ts";
import {
  encodeItems,
  type EncodedItems,
  type NewBulkItem,
  removeItems,
  writeItems,
} from "../../store/tables/bulk-items.ts";
import { type BulkUpdate, bulkLocks, insertBulks, updateBulks } from "../../store/tables/bulks.ts";
import { type KindRows, nothingPrepared, type RowKind } from "./row-kind.ts";

export type NewItem = NewBulkItem;
/** Some items of a new bulk, as the rows to be written. */
export type NewItems = EncodedItems;

/** Encodes some items, at a business time (epoch ms). A bulk has many: it is done slice by slice, before its command. */
export function encodeNewItems(items: readonly NewItem[], at: number): NewItems {
  return encodeItems(items, new Date(at).toISOString());
}

export interface BulkLocks {
  readonly bulkId?: string | undefined;
  /** Items of the new bulk, which the command accepts or not. */
  readonly newBulkItems?: readonly NewItems[];
}

export interface BulkEffect {
  readonly newBulks?: readonly Bulk[];
  /** Bulks as they become, each still at the version it was decided on. */
  readonly bulks?: readonly Bulk[];
}

export interface LockedBulks {
  /** The bulk the command's locks name. */
  bulk(): Bulk | undefined;
  /** True: all items of the new bulk are written; false where another request has the number of one. */
  hasNewItems(): boolean;
}

export interface LoadedBulks {
  readonly bulks: readonly Bulk[];
  /** True: all items of the new bulk are written; undefined: there is none. */
  readonly newItems?: boolean | undefined;
}

export interface BulkRowKeys {
  /** Ids. */
  readonly bulks: readonly string[];
  readonly newItems: readonly NewItems[];
}

export const bulks: RowKind<BulkLocks, BulkRowKeys, BulkRowKeys, LoadedBulks, object> = {
  keysOf: (commands) => ({
    bulks: [...new Set(commands.flatMap(({ locks }) => locks.bulkId ?? []))],
    newItems: commands.flatMap(({ locks }) => locks.newBulkItems ?? []),
  }),
  keysOfIds: (ids) => ({ bulks: ids, newItems: [] }),
  without: ({ bulks: ids, newItems }, locked) => ({ bulks: ids.filter((id) => !locked.has(id)), newItems }),
  lock: async (session, { bulks: ids, newItems }) => {
    const [written, found] = await Promise.all([
      newItems.length === 0 ? undefined : writeItems(session, newItems),
      ids.length === 0 ? [] : bulkLocks.lock(session, ids),
    ]);
    return { bulks: found, newItems: written };
  },
  findLocked: (session, keys) => bulkLocks.findLocked(session, keys.bulks),
};

export interface BulkRows extends KindRows<BulkLocks, BulkEffect> {
  find(locks: BulkLocks): Bulk | undefined;
  hasNewItems(): boolean;
}

export function openBulks(loaded: LoadedBulks): BulkRows {
  const byId = new Map(loaded.bulks.map((bulk) => [bulk.id, bulk]));
  const oldVersions = new Map(loaded.bulks.map(({ id, version }) => [id, version]));
  const changed = new Set<string>();
  let added: Bulk | undefined;
  const apply = ({ newBulks: [accepted] = [], bulks: changes = [] }: BulkEffect) => {
    added = accepted ?? added;
    for (const bulk of changes) {
      byId.set(bulk.id, { ...bulk, version: bulk.version + 1 });
      changed.add(bulk.id);
    }
  };
  return {
    find: ({ bulkId }) => {
      if (bulkId === undefined) throw new Error("no bulk was declared");
      return byId.get(bulkId);
    },
    hasNewItems: () => {
      if (loaded.newItems === undefined) throw new Error("no items of a new bulk were declared");
      return loaded.newItems;
    },
    namesOf: ({ bulkId }) => [bulkId],
    // No command with keys declares one.
    hasAny: () => false,
    prepare: (effect) => {
      const { newBulks = [], bulks: changes = [] } = effect;
      if (newBulks.length + changes.length === 0) return nothingPrepared;
      if (newBulks.length > (added === undefined && loaded.newItems === true ? 1 : 0)) {
        throw new Error("a bulk is accepted whose items are not written");
      }
      for (const { id, version } of changes) {
        const found = byId.get(id);
        if (!found) throw new Error(`an effect names bulk ${id}, which the batch did not lock`);
        if (found.version !== version) throw new Error(`the decision on bulk ${id} used a stale row`);
      }
      return { rows: newBulks.length + changes.length, apply: () => apply(effect) };
    },
    write: (session, at, send) => {
      const updates = [...changed].map((id): BulkUpdate => {
        return { bulk: byId.get(id) as Bulk, oldVersion: oldVersions.get(id) as number };
      });
      if (updates.length > 0) send(updateBulks(session, updates));
      if (added) send(insertBulks(session, [added], at));
      else if (loaded.newItems !== undefined) send(removeItems(session));
    },
  };
}
