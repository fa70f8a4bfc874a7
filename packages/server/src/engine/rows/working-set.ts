/**
 * The batch's working copy of the locked rows. Effects are applied here, in order, so that a later command
 * of the same batch sees what an earlier one did; what changed is then written once.
 */
import type { Account } from "../../ledger/accounts/account.ts";
import type { AccountUpdate } from "../../store/tables/accounts.ts";
import type { Entry } from "../../store/tables/entries.ts";
import type { Effect, LockedRows, Locks } from "../command.ts";
import { countRows, type Changes, changesOf, type Locked } from "./changes.ts";
import { createLockedRows, hasAny, rejectLocked } from "./locked.ts";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import { createHoldRows, type HoldWrites, type LoadedHolds } from "./holds.ts";
import type { LockedNames } from "../batch/lock-waits.ts";
import { createTransferRows, type TransferRows } from "./transfers.ts";

interface Slot {
  account: Account;
  readonly oldVersion: number;
  moved: boolean;
  termsChanged: boolean;
}

export interface LoadedRows extends LoadedHolds {
  readonly accounts: readonly Account[];
  readonly transfers: readonly RailTransfer[];
  /** Numbers of declared accounts from which transfers await a result. */
  readonly payersOfOpen: ReadonlySet<string>;
  /** Rows that were passed over, because somebody else has locked them. */
  readonly locked: LockedNames;
}

export interface Prepared {
  /** Rows it writes. */
  readonly rows: number;
  /** Makes it stand: cannot fail, as long as nothing else was applied in between. */
  apply(): void;
}

export interface WorkingSet {
  /**
   * What a command may see: the rows it declared.
   * @throws RowLocked when the batch passed over one of them.
   */
  lockedRowsFor(locks: Locks): LockedRows;
  /** Whether any row is there that it declared. */
  hasAny(locks: Locks): boolean;
  /** Works a whole effect out and changes nothing. Holds it places are found under the given number key. */
  prepare(effect: Effect<unknown>, journalId: string, partnerReferenceKey?: string): Prepared;
  readonly entries: readonly Entry[];
  readonly opened: readonly Account[];
  movedAccounts(): readonly AccountUpdate[];
  changedAccounts(): readonly Account[];
  readonly holds: HoldWrites;
  readonly transfers: Pick<TransferRows, "accepted" | "changed">;
}

export function createWorkingSet(loaded: LoadedRows): WorkingSet {
  const byId = new Map<string, Slot>();
  const byNumber = new Map<string, Slot>();
  const entries: Entry[] = [];
  const opened: Account[] = [];
  const holds = createHoldRows(loaded);
  const transfers = createTransferRows(loaded.transfers);
  const file = (account: Account) => {
    const slot = { account, oldVersion: account.version, moved: false, termsChanged: false };
    byId.set(account.id, slot);
    byNumber.set(account.accountNo, slot);
  };
  for (const account of loaded.accounts) file(account);
  const hasOpenTransfers = (accountNo: string) => {
    if (loaded.payersOfOpen.has(accountNo)) return true;
    const id = byNumber.get(accountNo)?.account.id;
    return transfers.accepted().some((transfer) => transfer.source === id);
  };
  const locked: Locked = { account: (id) => byId.get(id)?.account, hold: holds.hold, capture: holds.capture };

  const take = (changes: Changes, effect: Effect<unknown>) => {
    for (const account of effect.newAccounts ?? []) {
      file(account);
      opened.push(account);
    }
    for (const [id, account] of changes.accounts) {
      const slot = byId.get(id) as Slot;
      slot.account = account;
      slot.moved ||= changes.moved.has(id);
      slot.termsChanged ||= changes.terms.has(id);
    }
    for (const entry of changes.entries) entries.push(entry);
  };

  const rows = {
    byNumber: (accountNo: string) => byNumber.get(accountNo)?.account,
    byId: (id: string) => byId.get(id)?.account,
    hold: holds.find,
    transfer: transfers.find,
    hasOpenTransfers,
  };

  return {
    lockedRowsFor: (locks) => {
      rejectLocked(locks, rows, loaded.locked);
      return createLockedRows(locks, rows);
    },
    hasAny: (locks) => hasAny(locks, rows),
    prepare: (effect, journalId, partnerReferenceKey) => {
      const changes = changesOf(effect, journalId, locked);
      if (effect.newHolds && !partnerReferenceKey) throw new Error(`command ${journalId} holds without a key`);
      transfers.check(effect);
      return {
        rows: countRows(changes, effect),
        apply: () => {
          take(changes, effect);
          holds.take(changes, partnerReferenceKey ?? "");
          transfers.take(effect);
        },
      };
    },
    entries,
    opened,
    movedAccounts: () =>
      [...byId.values()].filter((slot) => slot.moved).map(({ account, oldVersion }) => ({ account, oldVersion })),
    changedAccounts: () => [...byId.values()].filter((slot) => slot.termsChanged).map((slot) => slot.account),
    holds: holds.writes,
    transfers,
  };
}
