/** All rows that the commands of a flight name, together. */
import type { WantedHolds } from "../store/holds.ts";
import type { WantedAccounts } from "../store/known-ids.ts";
import type { Command } from "./command.ts";
import type { LockedNames } from "./locked-rows.ts";

export interface Wanted {
  readonly accounts: WantedAccounts;
  readonly holds: WantedHolds;
  /** Those of the holds whose captures are wanted: all that can be refunded, or those named. */
  readonly refunded: WantedHolds;
  readonly refundedByName: WantedHolds;
  readonly captures: readonly string[];
  readonly transfers: readonly string[];
  /** Numbers of accounts whose open transfers are asked for. */
  readonly payersOfOpen: readonly string[];
}

export function wantedBy(commands: readonly Command<unknown>[]): Wanted {
  const numbers = new Set<string>();
  const ids = new Set<string>();
  const holds = { ids: new Set<string>(), numberKeys: new Set<string>() };
  const refunded = { ids: new Set<string>(), numberKeys: new Set<string>() };
  const refundedByName = { ids: new Set<string>(), numberKeys: new Set<string>() };
  const captures = new Set<string>();
  const transfers = new Set<string>();
  const payersOfOpen = new Set<string>();
  for (const { locks } of commands) {
    for (const number of locks.accountNumbers ?? []) numbers.add(number);
    for (const id of locks.accountIds ?? []) ids.add(id);
    if (locks.transferId !== undefined) transfers.add(locks.transferId);
    for (const number of locks.openTransfersOf ?? []) payersOfOpen.add(number);
    if (!locks.hold) continue;
    const { id, numberKey, captures: wanted } = locks.hold;
    const byName = wanted?.named !== undefined;
    for (const set of wanted ? [holds, byName ? refundedByName : refunded] : [holds]) {
      if (id !== undefined) set.ids.add(id);
      else if (numberKey !== undefined) set.numberKeys.add(numberKey);
    }
    if (wanted?.named !== undefined) captures.add(wanted.named);
  }
  return {
    accounts: { numbers: [...numbers], ids: [...ids] },
    holds: { ids: [...holds.ids], numberKeys: [...holds.numberKeys] },
    refunded: { ids: [...refunded.ids], numberKeys: [...refunded.numberKeys] },
    refundedByName: { ids: [...refundedByName.ids], numberKeys: [...refundedByName.numberKeys] },
    captures: [...captures],
    transfers: [...transfers],
    payersOfOpen: [...payersOfOpen],
  };
}

/** The same without the rows that are known as locked. Of holds that lead to a locked account only the hold remains. */
export function withoutLocked(wanted: Wanted, locked: LockedNames): Wanted {
  if (locked.size === 0) return wanted;
  const free = (names: readonly string[]) => names.filter((name) => !locked.has(name));
  const { accounts, holds, transfers } = wanted;
  return {
    ...wanted,
    accounts: { numbers: free(accounts.numbers), ids: free(accounts.ids) },
    holds: { ids: free(holds.ids), numberKeys: free(holds.numberKeys) },
    transfers: free(transfers),
  };
}

export function isNothing({ ids, numberKeys }: WantedHolds): boolean {
  return ids.length + numberKeys.length === 0;
}
