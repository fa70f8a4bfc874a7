/**
 * Rows that other transactions have locked: an operator's, a stopped node's. No batch waits for a row known as locked: it
 * passes over it, and the commands that need it are deferred. Every 25 ms a check finds out which rows are free.
 */
import type { Clock } from "../../clock.ts";
import type { LockedRow } from "../../store/tables/locked-row.ts";
import { beginTransaction, type OpenSession, rollbackTransaction, type Session } from "../../store/postgres/session.ts";
import type { Command } from "../command.ts";
import { codeOf } from "./error-class.ts";
import type { EngineEvents } from "./events.ts";
import type { LockSet } from "../rows/lock-order.ts";
import { lockSetOf, lockSetOfIds, sendFindLocked } from "../rows/lock-set.ts";
import type { LockedNames } from "../rows/row-kind.ts";

export interface KnownLocks {
  readonly names: LockedNames;
  /** Whether batches wait longer than usual for locks, because a row passes from one transaction to the next. */
  readonly isPatient: boolean;
}

export interface LockWaits {
  known(): KnownLocks;
  isLocked(row: string): boolean;
  /**
   * After a lock wait: finds which of the rows these commands name are locked; `none`: it was no row, or it is free again.
   * @throws when the database does not answer.
   */
  learn(session: Session, commands: readonly Command<unknown>[]): Promise<"rows" | "none">;
  close(): Promise<void>;
}

export interface LockedRowsDeps {
  readonly open: OpenSession;
  readonly clock: Pick<Clock, "real">;
  readonly events: EngineEvents;
  /** Called after each check. */
  onFreed(): void;
}

const checkEveryMs = 25;
/** How long batches stay patient after a row passed to another transaction. */
const patientMs = 5_000;
/** Beyond it the oldest are forgotten; a lock wait finds them again. */
const knownMax = 1_000;

export function createLockWaits({ open, clock, events, onFreed }: LockedRowsDeps): LockWaits {
  const known = new Map<string, LockedRow>();
  let names: LockedNames = new Map();
  let patientUntil = 0;
  let session: Session | undefined;
  let timer: NodeJS.Timeout | undefined;
  let checking = Promise.resolve();

  const publish = () => {
    for (const id of known.keys()) if (known.size > knownMax) known.delete(id);
    names = new Map([...known.values()].flatMap((row) => [row.id, row.alias ?? row.id].map((name) => [name, row])));
    if (known.size > 0) timer ??= setTimeout(startCheck, checkEveryMs);
  };

  // A row that passed to another transaction counts as free: the next batch waits for it in turn.
  const check = async () => {
    const before = [...known.values()];
    const now = new Map((await findNow(before.map((row) => row.id))).map((row) => [row.id, row.lockedBy]));
    for (const row of before) {
      const lockedBy = now.get(row.id);
      if (lockedBy === row.lockedBy || known.get(row.id) !== row) continue;
      known.delete(row.id);
      if (lockedBy !== undefined) patientUntil = clock.real() + patientMs;
    }
    timer = undefined;
    publish();
    onFreed();
  };

  const startCheck = () => {
    checking = check();
  };

  /** None when the database does not answer: then the commands find out by lock waits. */
  const findNow = async (ids: readonly string[]): Promise<readonly LockedRow[]> => {
    try {
      session ??= await open();
      return await findLocked(session, lockSetOfIds(ids));
    } catch (error) {
      events.failed("lost", codeOf(error));
      await session?.close();
      session = undefined;
      return [];
    }
  };

  return {
    known: () => ({ names, isPatient: clock.real() < patientUntil }),
    isLocked: (row) => known.has(row),
    learn: async (by, commands) => {
      const rows = await findLocked(by, lockSetOf(commands));
      for (const row of rows) known.set(row.id, row);
      publish();
      return rows.length > 0 ? "rows" : "none";
    },
    close: async () => {
      clearTimeout(timer);
      await checking;
      clearTimeout(timer);
      await session?.close();
    },
  };
}

/** Rolled back in the same packet, whether it was found or not: this releases the free rows that it locked. */
async function findLocked(session: Session, lockSet: LockSet): Promise<readonly LockedRow[]> {
  const [found] = await session.roundTrip(() => {
    const inside = session.roundTrip(() =>
      Promise.all([beginTransaction(session), Promise.all(sendFindLocked(session, lockSet))]),
    );
    return Promise.all([inside.then(([, rows]) => rows), rollbackTransaction(session)]);
  });
  return found.flat();
}
