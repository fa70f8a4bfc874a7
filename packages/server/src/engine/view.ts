/**
 * The flight's working copy of the locked rows. Effects are applied here, in order, so that a later command
 * of the same flight sees what an earlier one did; what changed is then written once.
 */
import type { Account } from "../ledger/account.ts";
import { type Minor, maxMinor } from "../ledger/money.ts";
import { movementKinds } from "../ledger/movement.ts";
import type { AccountUpdate } from "../store/accounts.ts";
import type { Entry } from "../store/entries.ts";
import type { Effect, Found, Locks } from "./command.ts";

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

  const slotOf = (id: string, draft: Draft): Account => {
    const account = draft.accounts.get(id) ?? byId.get(id)?.account;
    if (!account) throw new Error(`an effect names account ${id}, which the flight did not lock`);
    return account;
  };

  const apply = (effect: Effect<unknown>, journalId: string) => {
    const draft: Draft = { accounts: new Map(), entries: [], moved: new Set(), terms: new Set() };
    for (const account of effect.opens ?? []) {
      if (account.version !== 0 || account.balance !== 0n || account.held !== 0n) {
        throw new Error(`account ${account.id} is opened with something on it: money comes by a movement`);
      }
      draft.accounts.set(account.id, account);
    }
    for (const account of effect.changes ?? []) {
      const { balance, held, version, use } = slotOf(account.id, draft);
      draft.accounts.set(account.id, { ...account, balance, held, version, use });
      draft.terms.add(account.id);
    }
    for (const { account, use } of effect.uses ?? []) {
      draft.accounts.set(account, { ...slotOf(account, draft), use });
      draft.moved.add(account);
    }
    for (const movement of effect.movements ?? []) {
      if (movement.amount <= 0n) throw new Error(`a movement of ${movement.amount} minor units is no movement`);
      const kind = movementKinds[movement.kind];
      post(draft, slotOf(movement.from, draft), -movement.amount, kind, journalId);
      post(draft, slotOf(movement.to, draft), movement.amount, kind, journalId);
    }
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

interface Draft {
  readonly accounts: Map<string, Account>;
  readonly entries: Entry[];
  readonly moved: Set<string>;
  readonly terms: Set<string>;
}

function post(draft: Draft, account: Account, amount: bigint, kind: number, journalId: string): void {
  const balance = (account.balance + amount) as Minor;
  if (balance > maxMinor || balance < -maxMinor) {
    throw new Error(`account ${account.id} would leave the range of a row`);
  }
  const version = account.version + 1;
  draft.accounts.set(account.id, { ...account, balance, version });
  draft.moved.add(account.id);
  draft.entries.push({ accountId: account.id, version, journalId, kind, amount, balanceAfter: balance });
}
