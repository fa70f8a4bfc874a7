/** What an effect would change, worked out beside the view: it is either taken over whole or thrown away. */
import type { Account } from "../ledger/account.ts";
import type { Capture, Hold } from "../ledger/hold.ts";
import { type Minor, maxMinor } from "../ledger/money.ts";
import { movementKinds } from "../ledger/movement.ts";
import type { Entry } from "../store/entries.ts";
import type { NewHoldLine } from "../store/hold-lines.ts";
import type { Effect } from "./command.ts";
import { draftHolds } from "./draft-holds.ts";

/** The locked rows as they are before the effect. */
export interface Locked {
  account(id: string): Account | undefined;
  hold(id: string): Hold | undefined;
  /** The capture of a hold's line, if it was loaded. */
  capture(hold: string, line: number): Capture | undefined;
}

export interface Draft {
  /** The accounts as the effect leaves them, by id. */
  readonly accounts: Map<string, Account>;
  readonly entries: Entry[];
  /** Ids of accounts whose money or daily use changes. */
  readonly moved: Set<string>;
  /** Ids of accounts whose terms change. */
  readonly terms: Set<string>;
  /** The holds as the effect leaves them, by id; new ones among them. */
  readonly holds: Map<string, Hold>;
  readonly holdLines: NewHoldLine[];
  /** Captures of which something was refunded, by `captureKey`. */
  readonly captures: Map<string, { readonly hold: string; readonly capture: Capture }>;
}

/** @throws when the effect names a row that was not locked, or cannot be written. */
export function draftEffect(effect: Effect<unknown>, journalId: string, locked: Locked): Draft {
  const draft: Draft = {
    accounts: new Map(),
    entries: [],
    moved: new Set(),
    terms: new Set(),
    holds: new Map(),
    holdLines: [],
    captures: new Map(),
  };
  const accountOf = (id: string): Account => {
    const account = draft.accounts.get(id) ?? locked.account(id);
    if (!account) throw new Error(`an effect names account ${id}, which the flight did not lock`);
    return account;
  };
  for (const account of effect.opens ?? []) draft.accounts.set(account.id, emptyOrThrow(account));
  for (const account of effect.changes ?? []) {
    const { balance, held, version, use } = accountOf(account.id);
    draft.accounts.set(account.id, { ...account, balance, held, version, use });
    draft.terms.add(account.id);
  }
  for (const { account, use } of effect.uses ?? []) {
    draft.accounts.set(account, { ...accountOf(account), use });
    draft.moved.add(account);
  }
  draftHolds(draft, effect, journalId, locked, (id, amount) => {
    const account = accountOf(id);
    draft.accounts.set(id, { ...account, held: (account.held + amount) as Minor });
    draft.moved.add(id);
  });
  for (const movement of effect.movements ?? []) {
    if (movement.amount <= 0n) throw new Error(`a movement of ${movement.amount} minor units is no movement`);
    const kind = movementKinds[movement.kind];
    post(draft, accountOf(movement.from), -movement.amount, kind, journalId);
    post(draft, accountOf(movement.to), movement.amount, kind, journalId);
  }
  return draft;
}

/** Rows the effect writes: at least as many as are left of them once several effects of a flight met on one row. */
export function countRows(
  draft: Draft,
  { opens = [], accepts = [], transfers = [], tells = [] }: Effect<unknown>,
): number {
  const { entries, moved, terms, holds, holdLines, captures } = draft;
  const ofAccounts = entries.length + moved.size + terms.size + opens.length;
  const ofHolds = holds.size + holdLines.length + captures.size;
  return ofAccounts + ofHolds + accepts.length + transfers.length + tells.length;
}

function emptyOrThrow(account: Account): Account {
  if (account.version === 0 && account.balance === 0n && account.held === 0n) return account;
  throw new Error(`account ${account.id} is opened with something on it: money comes by a movement`);
}

function post(draft: Draft, account: Account, amount: bigint, kind: number, journalId: string): void {
  const balance = (account.balance + amount) as Minor;
  if (balance > maxMinor || balance < -maxMinor) {
    throw new Error(`account ${account.id} would leave the range of a row`);
  }
  const { currency } = account;
  const version = account.version + 1;
  draft.accounts.set(account.id, { ...account, balance, version });
  draft.moved.add(account.id);
  draft.entries.push({ accountId: account.id, version, journalId, kind, currency, amount, balanceAfter: balance });
}
