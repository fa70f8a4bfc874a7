/**
 * Cache of account ids: which account has which number never changes, so a connection remembers what it has met, since
 * looking a number up by its text cost as much as locking the row. That a number is unknown is never remembered.
 */
import type { Account } from "../../ledger/accounts/account.ts";
import type { Session } from "../postgres/session.ts";

export interface AccountKeys {
  readonly numbers: readonly string[];
  readonly ids: readonly string[];
}

/** About 40 MB; beyond it a connection starts anew. */
const mostKnown = 200_000;

const idsByNumber = new WeakMap<Session, Map<string, string>>();

/** The same accounts, by id where this connection has met the number. */
export function withKnownIds(session: Session, { numbers, ids }: AccountKeys): AccountKeys {
  const known = idsByNumber.get(session);
  if (known === undefined) return { numbers, ids };
  const all = new Set(ids);
  const unknown: string[] = [];
  for (const number of numbers) {
    const id = known.get(number);
    if (id === undefined) unknown.push(number);
    else all.add(id);
  }
  return { numbers: unknown, ids: [...all] };
}

export function rememberIds(session: Session, accounts: readonly Account[]): void {
  let known = idsByNumber.get(session);
  if (known === undefined || known.size > mostKnown) {
    known = new Map();
    idsByNumber.set(session, known);
  }
  for (const { accountNo, id } of accounts) known.set(accountNo, id);
}
