/**
 * The flight's working copy of the locked rows. Effects are applied here, in order, so that a later command
 * of the same flight sees what an earlier one did; what changed is then written once.
 */
import type { Account } from "../ledger/account.ts";
import type { AccountUpdate } from "../store/accounts.ts";
import type { Entry } from "../store/entries.ts";
import type { Effect, Found, Locks } from "./command.ts";
import { draftEffect } from "./draft.ts";

interface Slot {
  account: Account;
  readonly oldVersion: number;
  moved: boolean;
  termsChanged: boolean;
}

export interface View {
  /** What a command may see: the rows it declared. */
  foundFor(locks: Locks): Found;
  /** Applies a whole effect or, throwing, nothing of it. */
  apply(effect: Effect<unknown>, journalId: string): void;
  readonly entries: readonly Entry[];
  readonly opened: readonly Account[];
  movedAccounts(): readonly AccountUpdate[];
  changedAccounts(): readonly Account[];
}

export function createView(accounts: readonly Account[]): View {
  const byId = new Map<string, Slot>();
  const byNumber = new Map<string, Slot>();
  const entries: Entry[] = [];
  const opened: Account[] = [];
  const file = (account: Account) => {
    const slot = { account, oldVersion: account.version, moved: false, termsChanged: false };
    byId.set(account.id, slot);
    byNumber.set(account.accountNo, slot);
  };
  for (const account of accounts) file(account);

  const apply = (effect: Effect<unknown>, journalId: string) => {
    const draft = draftEffect(effect, journalId, (id) => byId.get(id)?.account);
    // After this point the effect stands: nothing below can fail.
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

  return {
    foundFor: (locks) => ({
      account: (accountNo) => {
        if (!locks.accountNumbers?.includes(accountNo)) throw new Error(`account number ${accountNo} was not declared`);
        return byNumber.get(accountNo)?.account;
      },
      accountById: (id) => {
        if (!locks.accountIds?.includes(id)) throw new Error(`account ${id} was not declared`);
        return byId.get(id)?.account;
      },
    }),
    apply,
    entries,
    opened,
    movedAccounts: () =>
      [...byId.values()].filter((slot) => slot.moved).map(({ account, oldVersion }) => ({ account, oldVersion })),
    changedAccounts: () => [...byId.values()].filter((slot) => slot.termsChanged).map((slot) => slot.account),
  };
}
