/** What an effect would change, worked out beside the working set: it is either taken over whole or thrown away. */
import type { Account } from "../../ledger/accounts/account.ts";
import type { Capture, Hold } from "../../ledger/holds/hold.ts";
import { type Minor, maxMinor } from "../../ledger/money.ts";
import { postingKinds } from "../../ledger/posting.ts";
import type { Entry } from "../../store/tables/entries.ts";
import type { NewHoldEvent } from "../../store/tables/hold-events.ts";
import type { Effect } from "../command.ts";
import { addHoldChanges } from "./hold-changes.ts";

/** The locked rows as they are before the effect. */
export interface Locked {
  account(id: string): Account | undefined;
  hold(id: string): Hold | undefined;
  /** The capture of a hold's line, if it was loaded. */
  capture(hold: string, line: number): Capture | undefined;
}

export interface Changes {
  /** The accounts as the effect leaves them, by id. */
  readonly accounts: Map<string, Account>;
  readonly entries: Entry[];
  /** Ids of accounts whose money or daily use changes. */
  readonly moved: Set<string>;
  /** Ids of accounts whose terms change. */
  readonly terms: Set<string>;
  /** The holds as the effect leaves them, by id; new ones among them. */
  readonly holds: Map<string, Hold>;
  readonly holdEvents: NewHoldEvent[];
  /** Captures of which something was refunded, by `captureKey`. */
  readonly captures: Map<string, { readonly hold: string; readonly capture: Capture }>;
}

/** @throws when the effect names a row that was not locked, or cannot be written. */
export function changesOf(effect: Effect<unknown>, journalId: string, locked: Locked): Changes {
  const changes: Changes = {
    accounts: new Map(),
    entries: [],
    moved: new Set(),
    terms: new Set(),
    holds: new Map(),
    holdEvents: [],
    captures: new Map(),
  };
  const accountOf = (id: string): Account => {
    const account = changes.accounts.get(id) ?? locked.account(id);
    if (!account) throw new Error(`an effect names account ${id}, which the batch did not lock`);
    return account;
  };
  for (const account of effect.newAccounts ?? []) changes.accounts.set(account.id, emptyOrThrow(account));
  for (const account of effect.changes ?? []) {
    const { balance, held, version, dailyUse: use } = accountOf(account.id);
    changes.accounts.set(account.id, { ...account, balance, held, version, dailyUse: use });
    changes.terms.add(account.id);
  }
  for (const { account, use } of effect.dailyUses ?? []) {
    changes.accounts.set(account, { ...accountOf(account), dailyUse: use });
    changes.moved.add(account);
  }
  addHoldChanges(changes, effect, journalId, locked, (id, amount) => {
    const account = accountOf(id);
    changes.accounts.set(id, { ...account, held: (account.held + amount) as Minor });
    changes.moved.add(id);
  });
  for (const posting of effect.postings ?? []) {
    if (posting.amount <= 0n) throw new Error(`a posting of ${posting.amount} minor units is no posting`);
    const kind = postingKinds[posting.kind];
    post(changes, accountOf(posting.from), -posting.amount, kind, journalId);
    post(changes, accountOf(posting.to), posting.amount, kind, journalId);
  }
  return changes;
}

/** Rows the effect writes: at least as many as are left of them once several effects of a batch met on one row. */
export function countRows(
  changes: Changes,
  { newAccounts = [], newTransfers = [], transfers = [], notifications = [] }: Effect<unknown>,
): number {
  const { entries, moved, terms, holds, holdEvents, captures } = changes;
  const ofAccounts = entries.length + moved.size + terms.size + newAccounts.length;
  const ofHolds = holds.size + holdEvents.length + captures.size;
  return ofAccounts + ofHolds + newTransfers.length + transfers.length + notifications.length;
}

function emptyOrThrow(account: Account): Account {
  if (account.version === 0 && account.balance === 0n && account.held === 0n) return account;
  throw new Error(`account ${account.id} is opened with something on it: money comes by a posting`);
}

function post(changes: Changes, account: Account, amount: bigint, kind: number, journalId: string): void {
  const balance = (account.balance + amount) as Minor;
  if (balance > maxMinor || balance < -maxMinor) {
    throw new Error(`account ${account.id} would leave the range of a row`);
  }
  const { currency } = account;
  const version = account.version + 1;
  changes.accounts.set(account.id, { ...account, balance, version });
  changes.moved.add(account.id);
  changes.entries.push({ accountId: account.id, version, journalId, kind, currency, amount, balanceAfter: balance });
}
