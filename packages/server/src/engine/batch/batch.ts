/**
 * One transaction in two round trips: lock and look up; then, decided, write and commit.
 * Duplicates are looked up only after every lock is held, and written in the second round trip.
 */
import type { Instant } from "../../clock.ts";
import {
  changeAccount,
  insertAccount,
  lockAccounts,
  lockAccountsWithHolds,
  updateAccounts,
} from "../../store/tables/accounts.ts";
import { insertEntries } from "../../store/tables/entries.ts";
import { findCaptures, insertHoldEvents, updateCaptures } from "../../store/tables/hold-events.ts";
import { insertHolds, lockHolds, updateHolds } from "../../store/tables/holds.ts";
import { insertOutbox } from "../../store/tables/outbox.ts";
import { findRejections, insertRejections } from "../../store/tables/rejected-requests.ts";
import { beginTransaction, type Session, waitLonger } from "../../store/postgres/session.ts";
import { findPayersOfOpen, insertTransfers, lockTransfers, updateTransfers } from "../../store/tables/transfers.ts";
import { findWrites, freeExternalKeys, insertWrites } from "../../store/tables/accepted-requests.ts";
import type { Command } from "../command.ts";
import { type Decided, keyed, type Loaded } from "./decide.ts";
import { codeOf, followUpCode } from "./error-class.ts";
import type { HoldWrites } from "../rows/holds.ts";
import type { Known, LockedNames } from "./lock-waits.ts";
import { isNothing, type LockSet, lockSetOf, withoutLocked } from "../rows/lock-set.ts";

const noWrites: Loaded["writes"] = { byExternalKey: new Map(), byNumberKey: new Map() };
const noRejections: Loaded["rejections"] = { bySignature: new Map(), lastSent: new Map() };
const noCaptures: Loaded["captures"] = new Map();
const noPayers: Loaded["payersOfOpen"] = new Set();

/** First round trip: opens the transaction, locks all but what is known as locked, then reads. One table a statement, in this order. */
export async function loadBatch(
  session: Session,
  commands: readonly Command<unknown>[],
  { names: locked, isPatient }: Known,
): Promise<Loaded> {
  const lockSet = withoutLocked(lockSetOf(commands), locked);
  const keys = keyed(commands);
  const [, transfers, holds, accounts, captures, payersOfOpen, writes, rejections] = await allOrFirstError(
    session.roundTrip(
      () =>
        [
          Promise.all([beginTransaction(session), isPatient ? waitLonger(session) : undefined]),
          lockSet.transfers.length === 0 ? [] : lockTransfers(session, lockSet.transfers),
          isNothing(lockSet.holds) ? [] : lockHolds(session, lockSet.holds),
          lockAccountsOf(session, lockSet, locked),
          findCapturesOf(session, lockSet),
          lockSet.payersOfOpen.length === 0 ? noPayers : findPayersOfOpen(session, lockSet.payersOfOpen),
          keys.length === 0
            ? noWrites
            : findWrites(
                session,
                keys.map((key) => key.externalIdKey),
                keys.map((key) => key.partnerReferenceKey),
              ),
          keys.length === 0
            ? noRejections
            : findRejections(
                session,
                keys.map((key) => key.signatureKey),
                keys.map((key) => key.externalIdKey),
              ),
        ] as const,
    ),
  );
  return { transfers, holds, accounts, captures, payersOfOpen, writes, rejections, locked };
}

function findCapturesOf(session: Session, { refunded, refundedByName, captures }: LockSet) {
  if (isNothing(refunded) && isNothing(refundedByName)) return noCaptures;
  return findCaptures(session, refunded, refundedByName, captures);
}

function lockAccountsOf(session: Session, { accounts, holds }: LockSet, locked: LockedNames) {
  if (!isNothing(holds)) {
    const rows = [...new Set([...locked.values()].map((row) => row.id))];
    return lockAccountsWithHolds(session, accounts, holds, rows);
  }
  return accounts.numbers.length + accounts.ids.length === 0 ? [] : lockAccounts(session, accounts);
}

/** Second round trip: writes what was decided and commits. True when the commit went through. */
export async function commitBatch(session: Session, decided: Decided, now: Instant): Promise<boolean> {
  const at = new Date(now).toISOString();
  const { workingSet } = decided;
  const moved = workingSet.movedAccounts();
  const sent: Promise<unknown>[] = [];
  const send = (statement: Promise<unknown>) => {
    // Awaited below, unless a later statement cannot be written and throws: then nobody asks for this one any more.
    statement.catch(() => undefined);
    sent.push(statement);
  };
  const committed = session.roundTrip(() => {
    if (decided.freed.length > 0) send(freeExternalKeys(session, decided.freed));
    if (decided.writes.length > 0) send(insertWrites(session, decided.writes, at));
    if (decided.rejections.length > 0) send(insertRejections(session, decided.rejections, at));
    for (const account of workingSet.opened) send(insertAccount(session, account, at));
    for (const account of workingSet.changedAccounts()) send(changeAccount(session, account));
    if (workingSet.entries.length > 0) send(insertEntries(session, workingSet.entries, at));
    if (moved.length > 0) send(updateAccounts(session, moved));
    writeHolds(session, workingSet.holds, at, send);
    const [accepted, changed] = [workingSet.transfers.accepted(), workingSet.transfers.changed()];
    if (accepted.length > 0) send(insertTransfers(session, accepted, at));
    if (changed.length > 0) send(updateTransfers(session, changed));
    if (decided.events.length > 0) send(insertOutbox(session, decided.events, at));
    return session.commit();
  });
  const results = await allOrFirstError([...sent, committed]);
  return results.at(-1) === true;
}

function writeHolds(
  session: Session,
  holds: HoldWrites,
  at: string,
  send: (statement: Promise<unknown>) => void,
): void {
  const [placed, changed, lines, refunded] = [holds.placed(), holds.changed(), holds.lines(), holds.refunded()];
  if (placed.length > 0) send(insertHolds(session, placed, at));
  if (changed.length > 0) send(updateHolds(session, changed));
  if (lines.length > 0) send(insertHoldEvents(session, lines, at));
  if (refunded.length > 0) send(updateCaptures(session, refunded));
}

/**
 * Waits for every statement of a round trip. The first error that says why counts: those behind it in the pipeline
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
