/**
 * One transaction in two trips: lock and look up; then, decided, write and commit.
 * Duplicates are looked up only after every lock is held, and written in the second trip.
 */
import type { Instant } from "../clock.ts";
import { changeAccount, findHeldAccounts, insertAccount, lockAccounts, updateAccounts } from "../store/accounts.ts";
import { insertEntries } from "../store/entries.ts";
import type { WantedAccounts } from "../store/known-ids.ts";
import { findRefusals, insertRefusals } from "../store/refusals.ts";
import { beginTransaction, type Session } from "../store/session.ts";
import { findWrites, freeExternalKeys, insertWrites } from "../store/writes.ts";
import type { Command } from "./command.ts";
import { type Decided, keyed, type Loaded } from "./decide-flight.ts";
import { codeOf, followUpCode } from "./failure.ts";

const noWrites: Loaded["writes"] = { byExternalKey: new Map(), byNumberKey: new Map() };

/** First trip: opens the transaction, locks, then reads. One table a statement, always in this order. */
export async function loadFlight(session: Session, commands: readonly Command<unknown>[]): Promise<Loaded> {
  const accountsToLock = wantedBy(commands);
  const keys = keyed(commands);
  const [, accounts, writes, refusals] = await allOrFirstError(
    session.trip(
      () =>
        [
          beginTransaction(session),
          isNothing(accountsToLock) ? [] : lockAccounts(session, accountsToLock),
          keys.length === 0
            ? noWrites
            : findWrites(
                session,
                keys.map((key) => key.externalKey),
                keys.map((key) => key.numberKey),
              ),
          keys.length === 0
            ? new Map()
            : findRefusals(
                session,
                keys.map((key) => key.signatureKey),
              ),
        ] as const,
    ),
  );
  return { accounts, writes, refusals };
}

function wantedBy(commands: readonly Command<unknown>[]): WantedAccounts {
  const numbers = new Set<string>();
  const ids = new Set<string>();
  for (const { locks } of commands) {
    for (const number of locks.accountNumbers ?? []) numbers.add(number);
    for (const id of locks.accountIds ?? []) ids.add(id);
  }
  return { numbers: [...numbers], ids: [...ids] };
}

function isNothing({ numbers, ids }: WantedAccounts): boolean {
  return numbers.length + ids.length === 0;
}

/** Of the given commands, those that would wait now for a row somebody else holds. */
export async function findWaiting<Of extends { readonly command: Command<unknown> }>(
  session: Session,
  pending: readonly Of[],
): Promise<ReadonlySet<Of>> {
  const wanted = wantedBy(pending.map((one) => one.command));
  if (isNothing(wanted)) return new Set();
  const held = await findHeldAccounts(session, wanted);
  const waits = ({ locks }: Command<unknown>) =>
    (locks.accountNumbers ?? []).some((number) => held.has(number)) ||
    (locks.accountIds ?? []).some((id) => held.has(id));
  return new Set(pending.filter((one) => waits(one.command)));
}

/** Second trip: writes what was decided and commits. True when the commit went through. */
export async function commitFlight(session: Session, decided: Decided, now: Instant): Promise<boolean> {
  const at = new Date(now).toISOString();
  const { view } = decided;
  const moved = view.movedAccounts();
  const sent: Promise<unknown>[] = [];
  const send = (statement: Promise<unknown>) => {
    // Awaited below, unless a later statement cannot be written and throws: then nobody asks for this one any more.
    statement.catch(() => undefined);
    sent.push(statement);
  };
  const committed = session.trip(() => {
    if (decided.freed.length > 0) send(freeExternalKeys(session, decided.freed));
    if (decided.writes.length > 0) send(insertWrites(session, decided.writes, at));
    if (decided.refusals.length > 0) send(insertRefusals(session, decided.refusals, at));
    for (const account of view.opened) send(insertAccount(session, account, at));
    for (const account of view.changedAccounts()) send(changeAccount(session, account));
    if (view.entries.length > 0) send(insertEntries(session, view.entries, at));
    if (moved.length > 0) send(updateAccounts(session, moved));
    return session.commit();
  });
  const results = await allOrFirstError([...sent, committed]);
  return results.at(-1) === true;
}

/**
 * Waits for every statement of a trip. The first error that says why counts: those behind it in the pipeline
 * only report that the transaction was already broken.
 */
async function allOrFirstError<T extends readonly unknown[]>(
  sent: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(sent);
  const errors = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
  if (errors.length > 0) throw errors.find((error) => codeOf(error) !== followUpCode) ?? errors[0];
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as {
    -readonly [K in keyof T]: Awaited<T[K]>;
  };
}
