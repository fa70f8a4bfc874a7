/** All rows that the commands of a batch name, together. */
import type { HoldKeys } from "../../store/tables/holds.ts";
import type { AccountKeys } from "../../store/tables/known-account-ids.ts";
import type { Command } from "../command.ts";
import type { LockedNames } from "../batch/lock-waits.ts";

export interface LockSet {
  readonly accounts: AccountKeys;
  readonly holds: HoldKeys;
  /** Those of the holds whose captures are locked: all that can be refunded, or those named. */
  readonly refunded: HoldKeys;
  readonly refundedByName: HoldKeys;
  readonly captures: readonly string[];
  readonly transfers: readonly string[];
  /** Numbers of accounts whose open transfers are asked for. */
  readonly payersOfOpen: readonly string[];
}

export function lockSetOf(commands: readonly Command<unknown>[]): LockSet {
  const numbers = new Set<string>();
  const ids = new Set<string>();
  const holds = { ids: new Set<string>(), partnerReferenceKeys: new Set<string>() };
  const refunded = { ids: new Set<string>(), partnerReferenceKeys: new Set<string>() };
  const refundedByName = { ids: new Set<string>(), partnerReferenceKeys: new Set<string>() };
  const captures = new Set<string>();
  const transfers = new Set<string>();
  const payersOfOpen = new Set<string>();
  for (const { locks } of commands) {
    for (const number of locks.accountNumbers ?? []) numbers.add(number);
    for (const id of locks.accountIds ?? []) ids.add(id);
    if (locks.transferId !== undefined) transfers.add(locks.transferId);
    for (const number of locks.openTransfersOf ?? []) payersOfOpen.add(number);
    if (!locks.hold) continue;
    const { id, partnerReferenceKey, captures: lockSet } = locks.hold;
    const byName = lockSet?.named !== undefined;
    for (const set of lockSet ? [holds, byName ? refundedByName : refunded] : [holds]) {
      if (id !== undefined) set.ids.add(id);
      else if (partnerReferenceKey !== undefined) set.partnerReferenceKeys.add(partnerReferenceKey);
    }
    if (lockSet?.named !== undefined) captures.add(lockSet.named);
  }
  return {
    accounts: { numbers: [...numbers], ids: [...ids] },
    holds: { ids: [...holds.ids], partnerReferenceKeys: [...holds.partnerReferenceKeys] },
    refunded: { ids: [...refunded.ids], partnerReferenceKeys: [...refunded.partnerReferenceKeys] },
    refundedByName: { ids: [...refundedByName.ids], partnerReferenceKeys: [...refundedByName.partnerReferenceKeys] },
    captures: [...captures],
    transfers: [...transfers],
    payersOfOpen: [...payersOfOpen],
  };
}

/** The same without the rows that are known as locked. Of holds that lead to a locked account only the hold remains. */
export function withoutLocked(lockSet: LockSet, locked: LockedNames): LockSet {
  if (locked.size === 0) return lockSet;
  const free = (names: readonly string[]) => names.filter((name) => !locked.has(name));
  const { accounts, holds, transfers } = lockSet;
  return {
    ...lockSet,
    accounts: { numbers: free(accounts.numbers), ids: free(accounts.ids) },
    holds: { ids: free(holds.ids), partnerReferenceKeys: free(holds.partnerReferenceKeys) },
    transfers: free(transfers),
  };
}

export function isNothing({ ids, partnerReferenceKeys }: HoldKeys): boolean {
  return ids.length + partnerReferenceKeys.length === 0;
}
