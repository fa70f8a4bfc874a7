/**
 * Rows that other transactions have locked: an operator's, a stopped node's. No batch waits for a row known as locked: it
 * passes over it, and the commands that need it are deferred. Every 25 ms a check looks at a row of each locking transaction,
 * and at all rows of one that has freed one. However many are locked, none is forgotten before: the batch that met it again
 * would wait.
 */
import type { Clock } from "../../basics/clock.ts";
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
  /** True: batches wait longer than usual for locks, because a row passes from one transaction to the next. */
  readonly isPatient: boolean;
}

export interface LockWaits {
  known(): KnownLocks;
  isLocked(row: string): boolean;
  /**
   * After a lock wait: finds which of the rows these commands name are locked; `none`: it was no row, or it is free again. Of
   * who had called for one it asks for the rows that their queued commands name, too: a batch job locks many.
   * @throws when the database does not answer.
   */
  learn(
    session: Session,
    commands: readonly Command<unknown>[],
    queued: readonly Command<unknown>[],
  ): Promise<"rows" | "none">;
  close(): Promise<void>;
}

export interface LockedRowsDeps {
  readonly open: OpenSession;
  readonly clock: Pick<Clock, "real">;
  readonly events: EngineEvents;
  /** Called after a check that found a row free. */
  onFreed(): void;
}

const checkEveryMs = 25;
/** Time for which batches stay patient after a row passed to another transaction. */
const patientMs = 5_000;
/** Rows that one check looks at: of more than these, those that were looked at longest ago. */
const checkMax = 250;
/** So many are looked at beside one of each locking transaction: it frees its rows all at once, but for a savepoint's. */
const othersMax = 25;

export function createLockWaits({ open, clock, events, onFreed }: LockedRowsDeps): LockWaits {
  const look = createLook({ open, events });
  /** Those that were looked at longest ago first. */
  const known = new Map<string, LockedRow>();
  /** Transactions of which the last check found a row free. */
  const ended = new Set<string>();
  let names: LockedNames = new Map();
  let patientUntil = 0;
  let timer: NodeJS.Timeout | undefined;
  let checking = Promise.resolve();

  const publish = () => {
    names = new Map([...known.values()].flatMap((row) => [row.id, row.alias ?? row.id].map((name) => [name, row])));
  };
  const checkLater = () => {
    if (known.size > 0) timer ??= setTimeout(startCheck, ended.size > 0 ? 0 : checkEveryMs);
  };

  // A row that passed to another transaction counts as free: the next batch waits for it in turn.
  const check = async () => {
    const before = chooseToCheck([...known.values()], ended);
    ended.clear();
    const now = new Map((await look.find(before.map((row) => row.id))).map((row) => [row.id, row.lockedBy]));
    for (const row of before) {
      const lockedBy = now.get(row.id);
      if (known.get(row.id) !== row) continue;
      known.delete(row.id);
      // Behind all others.
      if (lockedBy === row.lockedBy) known.set(row.id, row);
      else ended.add(row.lockedBy);
      if (lockedBy !== undefined && lockedBy !== row.lockedBy) patientUntil = clock.real() + patientMs;
    }
    timer = undefined;
    if (ended.size > 0) {
      publish();
      onFreed();
    }
    checkLater();
  };

  const startCheck = () => {
    checking = check();
  };

  return {
    known: () => ({ names, isPatient: clock.real() < patientUntil }),
    isLocked: (row) => known.has(row),
    learn: async (by, commands, queued) => {
      const find = async (given: readonly Command<unknown>[]) => {
        const rows = await findLocked(by, lockSetOf(given));
        for (const row of rows) known.set(row.id, row);
        publish();
        checkLater();
        return rows.length > 0 ? "rows" : "none";
      };
      const found = await find(commands);
      const callers = new Set(commands.filter((command) => namesLocked(command, names)).map(({ partner }) => partner));
      const theirs = queued.filter(({ partner }) => callers.has(partner));
      if (theirs.length > 0) await find(theirs);
      return found;
    },
    close: async () => {
      clearTimeout(timer);
      await checking;
      clearTimeout(timer);
      await look.close();
    },
  };
}

/** Rows of transactions that have freed one; else one of each transaction, and a few others. `known`: as they were checked. */
function chooseToCheck(known: readonly LockedRow[], ended: ReadonlySet<string>): readonly LockedRow[] {
  const freed = known.filter(({ lockedBy }) => ended.has(lockedBy));
  if (freed.length > 0) return freed.slice(0, checkMax);
  const firsts = new Map<string, LockedRow>();
  for (const row of known) if (!firsts.has(row.lockedBy)) firsts.set(row.lockedBy, row);
  const chosen = [...firsts.values()].slice(0, checkMax);
  return [...new Set([...chosen, ...known.slice(0, chosen.length + othersMax)])];
}

/** A connection of its own, opened when it is needed. */
function createLook({ open, events }: Pick<LockedRowsDeps, "open" | "events">) {
  let session: Session | undefined;
  return {
    /** Those of the rows that are locked. None when the database does not answer: then commands find out by lock waits. */
    find: async (ids: readonly string[]): Promise<readonly LockedRow[]> => {
      try {
        session ??= await open();
        return await findLocked(session, lockSetOfIds(ids));
      } catch (error) {
        events.failed("lost", codeOf(error));
        await session?.close();
        session = undefined;
        return [];
      }
    },
    close: async () => session?.close(),
  };
}

function namesLocked(
  { locks: { accountNumbers = [], accountIds = [] } }: Command<unknown>,
  names: LockedNames,
): boolean {
  return [...accountNumbers, ...accountIds].some((name) => names.has(name));
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
