/**
 * The flight's working copy of the locked rows. Effects are applied here, in order, so that a later command
 * of the same flight sees what an earlier one did; what changed is then written once.
 */
import type { Account } from "../ledger/account.ts";
import type { AccountUpdate } from "../store/accounts.ts";
import type { Entry } from "../store/entries.ts";
import type { Effect, Found, Locks } from "./command.ts";
import { countRows, type Draft, draftEffect, type Locked } from "./draft.ts";
import { createFound, hasAny, refuseLocked } from "./found.ts";
import type { RailTransfer } from "../ledger/rail-transfer.ts";
import { createHoldView, type HoldWrites, type LoadedHolds } from "./hold-view.ts";
import type { LockedNames } from "./locked-rows.ts";
import { createTransferView, type TransferView } from "./transfer-view.ts";

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

export interface View {
  /**
   * What a command may see: the rows it declared.
   * @throws RowLocked when the flight passed over one of them.
   */
  foundFor(locks: Locks): Found;
  /** Whether any row is there that it declared. */
  hasAny(locks: Locks): boolean;
  /** Works a whole effect out and changes nothing. Holds it places are found under the given number key. */
  prepare(effect: Effect<unknown>, journalId: string, numberKey?: string): Prepared;
  readonly entries: readonly Entry[];
  readonly opened: readonly Account[];
  movedAccounts(): readonly AccountUpdate[];
  changedAccounts(): readonly Account[];
  readonly holds: HoldWrites;
  readonly transfers: Pick<TransferView, "accepted" | "changed">;
}

export function createView(loaded: LoadedRows): View {
  const byId = new Map<string, Slot>();
  const byNumber = new Map<string, Slot>();
  const entries: Entry[] = [];
  const opened: Account[] = [];
  const holds = createHoldView(loaded);
  const transfers = createTransferView(loaded.transfers);
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

  const take = (draft: Draft, effect: Effect<unknown>) => {
    for (const account of effect.opens ?? []) {
      file(account);
      opened.push(account);
    }
    for (const [id, account] of draft.accounts) {
      const slot = byId.get(id) as Slot;
      slot.account = account;
      slot.moved ||= draft.moved.has(id);
      slot.termsChanged ||= draft.terms.has(id);
    }
    for (const entry of draft.entries) entries.push(entry);
  };

  const rows = {
    byNumber: (accountNo: string) => byNumber.get(accountNo)?.account,
    byId: (id: string) => byId.get(id)?.account,
    hold: holds.find,
    transfer: transfers.find,
    hasOpenTransfers,
  };

  return {
    foundFor: (locks) => {
      refuseLocked(locks, rows, loaded.locked);
      return createFound(locks, rows);
    },
    hasAny: (locks) => hasAny(locks, rows),
    prepare: (effect, journalId, numberKey) => {
      const draft = draftEffect(effect, journalId, locked);
      if (effect.places && numberKey === undefined) throw new Error(`command ${journalId} places a hold without a key`);
      transfers.check(effect);
      return {
        rows: countRows(draft, effect),
        apply: () => {
          take(draft, effect);
          holds.take(draft, numberKey ?? "");
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
