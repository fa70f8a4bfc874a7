/** Steps of a batch with the rows of all kinds before it decides: it names, locks and reads them. */
import type { Session } from "../../store/postgres/session.ts";
import type { LockedRow } from "../../store/tables/locked-row.ts";
import { type LoadedRows, type Locks, lockOrder, type LockSet } from "./lock-order.ts";
import type { LockedNames } from "./row-kind.ts";

const afterLocks = lockOrder.toReversed();

export function lockSetOf(commands: readonly { readonly locks: Locks }[]): LockSet {
  return merge(lockOrder.map((kind) => kind.keysOf(commands))) as LockSet;
}

export function lockSetOfIds(ids: readonly string[]): LockSet {
  return merge(lockOrder.map((kind) => kind.keysOfIds(ids))) as LockSet;
}

/** The same without the rows that are known as locked. */
export function withoutLocked(lockSet: LockSet, locked: LockedNames): LockSet {
  if (locked.size === 0) return lockSet;
  return merge(lockOrder.map((kind) => kind.without(lockSet, locked))) as LockSet;
}

/** Sends the locks, one table a statement, and behind the last of them the reads; all are answered with a part of the rows. */
export function sendLocks(
  session: Session,
  lockSet: LockSet,
  locked: LockedNames,
): readonly Promise<Partial<LoadedRows> | undefined>[] {
  return [
    ...lockOrder.map((kind) => kind.lock(session, lockSet, locked)),
    ...afterLocks.map((kind) => kind.read?.(session, lockSet) ?? Promise.resolve(undefined)),
  ];
}

/** Adds rows that were named and not found, and stand elsewhere; a round trip, where there are any. */
export async function addMissing(session: Session, lockSet: LockSet, loaded: LoadedRows): Promise<LoadedRows> {
  const reads = lockOrder.flatMap((kind) => kind.readMissing?.(session, lockSet, loaded) ?? []);
  return reads.length === 0 ? loaded : mergeRows([loaded, ...(await Promise.all(reads))]);
}

export function mergeRows(parts: readonly (Partial<LoadedRows> | undefined)[]): LoadedRows {
  return merge(parts) as LoadedRows;
}

export function sendFindLocked(session: Session, lockSet: LockSet): readonly Promise<readonly LockedRow[]>[] {
  return afterLocks.map((kind) => kind.findLocked(session, lockSet));
}

/** True when the command reads rows without bound. */
export function readsUnbounded({ locks }: { readonly locks: Locks }): boolean {
  return lockOrder.some((kind) => kind.readsUnbounded?.(locks));
}

function merge(parts: readonly (object | undefined)[]): object {
  return Object.assign({}, ...parts) as object;
}
