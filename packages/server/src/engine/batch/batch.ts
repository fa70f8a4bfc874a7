/**
 * One transaction in two round trips: lock and look up; then, decided, write and commit. Repeats, and rows that were not found,
 * take one more between them.
 * Duplicates are looked up only after every lock is held, and written in the second round trip.
 */
import type { Instant, Moment } from "../../basics/clock.ts";
import { carryOutActs } from "../../store/tables/acts.ts";
import { insertOutbox } from "../../store/tables/notifications/outbox.ts";
import { writeAdopted } from "../../store/tables/rail-records/rail-adoptions.ts";
import {
  findRejectedRequests,
  insertRejectedRequests,
  type WantedRejection,
} from "../../store/tables/requests/rejected-requests.ts";
import { writeConfirmation } from "../../store/postgres/confirmation/confirm.ts";
import { beginTransaction, type Session, waitLonger } from "../../store/postgres/session.ts";
import {
  findAcceptedRequests,
  insertAcceptedRequests,
  keysOfRequests,
} from "../../store/tables/requests/accepted-requests.ts";
import {
  findRequestKeys,
  type FoundKeys,
  insertRequestKeys,
  releaseRequestKeys,
} from "../../store/tables/requests/request-keys.ts";
import type { Command, ConfirmedCommit, DuplicateKeys } from "../command.ts";
import { type BatchDecision, keyed, type Loaded } from "./decide.ts";
import { codeOf, followUpCode } from "./error-class.ts";
import type { KnownLocks } from "./lock-waits.ts";
import { writesAhead } from "../rows/lock-order.ts";
import { addMissing, lockSetOf, mergeRows, sendLocks, withoutLocked } from "../rows/lock-set.ts";

const noKeys: FoundKeys = new Map();
export const noWrites: Loaded["writes"] = { byExternalIdKey: new Map(), byPartnerReferenceKey: new Map() };
export const noRejections: Loaded["rejections"] = {
  bySignature: new Map(),
  nextSent: new Map(),
  nextOfIntent: new Map(),
};

/**
 * First round trip: opens the transaction, locks all but what is known as locked, then reads. One table a statement, in
 * this order. Before rows are written ahead, the transaction is seen to be open: behind a failed begin they would commit
 * by themselves.
 */
export async function loadBatch(
  session: Session,
  commands: readonly Command<unknown>[],
  { names: locked, isPatient }: KnownLocks,
): Promise<Loaded> {
  const lockSet = withoutLocked(lockSetOf(commands), locked);
  const keys = keyed(commands);
  const open = () => Promise.all([beginTransaction(session), isPatient ? waitLonger(session) : undefined]);
  const opened = commands.some(({ locks }) => writesAhead(locks)) ? await open() : undefined;
  const [, rows, found, rejections] = await allOrFirstError(
    session.roundTrip(
      () =>
        [
          opened ?? open(),
          allOrFirstError(sendLocks(session, lockSet, locked)),
          keys.length === 0 ? noKeys : findRequestKeys(session, keysOf(keys)),
          keys.length === 0 ? noRejections : findRejectedRequests(session, sendsOf(commands)),
        ] as const,
    ),
  );
  const [writes, loaded] = await allOrFirstError([
    found.size === 0 ? noWrites : findRequests(session, found, keys.length),
    addMissing(session, lockSet, mergeRows(rows)),
  ]);
  return { ...loaded, writes, rejections, locked };
}

/** The keyed commands, in the order of `keyed`. */
export function sendsOf(commands: readonly Command<unknown>[]): readonly WantedRejection[] {
  return commands.flatMap(({ id, keys }) => (keys ? [{ ...keys, id }] : []));
}

/** External ids, then partners' numbers. */
function keysOf(keys: readonly DuplicateKeys[]): readonly string[] {
  return [...keys.map((key) => key.externalIdKey), ...keys.map((key) => key.partnerReferenceKey)];
}

/** A round trip for repeats alone. */
function findRequests(session: Session, found: FoundKeys, count: number): Promise<Loaded["writes"]> {
  const externalIds = [...found].filter(([position]) => position < count);
  const numbers = [...found].flatMap(([position, id]) => (position < count ? [] : [[position - count, id] as const]));
  return findAcceptedRequests(session, new Map(externalIds), new Map(numbers));
}

/** Second round trip: writes what was decided and commits. Undefined when it was rolled back. */
export async function commitBatch(
  session: Session,
  decided: BatchDecision,
  now: Instant,
  sentAt: Moment,
): Promise<ConfirmedCommit | undefined> {
  const at = new Date(now).toISOString();
  const sent: Promise<unknown>[] = [];
  const send = (statement: Promise<unknown>) => {
    // Awaited below, unless a later statement cannot be encoded and throws.
    statement.catch(() => undefined);
    sent.push(statement);
  };
  const committed = session.roundTrip(() => {
    if (decided.releasedKeys.length > 0) send(releaseRequestKeys(session, decided.releasedKeys));
    if (decided.writes.length > 0) {
      // Keys first: a request that two nodes write waits at its keys, which are in one order.
      send(insertRequestKeys(session, keysOfRequests(decided.writes)));
      send(insertAcceptedRequests(session, decided.writes, at));
    }
    if (decided.rejections.length > 0) send(insertRejectedRequests(session, decided.rejections, at));
    decided.workingSet.write(session, at, send);
    if (decided.notifications.length > 0) send(insertOutbox(session, decided.notifications, at));
    if (decided.adopted.length > 0) for (const sending of writeAdopted(session, decided.adopted, at)) send(sending);
    // The chain of acts is locked last, for as short as can be.
    if (decided.acts.length > 0) send(carryOutActs(session, decided.acts, at));
    // Rows that it may have read, such as the request that a repeat repeats, are answered: its commit waits for the
    // standby.
    if (decided.writes.length === 0) send(writeConfirmation(session));
    return session.commit(sentAt);
  });
  await allOrFirstError([...sent, committed]);
  return committed;
}

/**
 * Waits for every statement of a round trip. The first error that names a cause counts: later ones of the pipeline only
 * report the broken transaction.
 */
export async function allOrFirstError<T extends readonly unknown[]>(
  sent: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(sent);
  const errors = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
  if (errors.length > 0) throw errors.find((error) => codeOf(error) !== followUpCode) ?? errors[0];
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as {
    -readonly [K in keyof T]: Awaited<T[K]>;
  };
}
