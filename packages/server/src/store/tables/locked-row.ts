import { uuidArray } from "../statements/binary-arrays.ts";
import type { Session, Statement, TextRow } from "../postgres/session.ts";

/** A row that another transaction has locked. */
export interface LockedRow {
  readonly id: string;
  /** Another name that commands use: the number of an account, the partner reference key of a hold. */
  readonly alias: string | undefined;
  /** Number of the locking transaction, from the row: a hint. */
  readonly lockedBy: string;
}

/** A row of `id, alias, locked by`. */
export function readLockedRow([id, alias, lockedBy]: TextRow): LockedRow {
  return { id: id as string, alias: alias ?? undefined, lockedBy: lockedBy ?? "" };
}

export interface RowLocks<Row> {
  /** Locks the named rows in the order of their ids. What does not exist is not found. */
  lock(session: Session, ids: readonly string[]): Promise<readonly Row[]>;
  /** Those of the named rows that are locked now. Waits for nobody and keeps no lock. */
  findLocked(session: Session, ids: readonly string[]): Promise<readonly LockedRow[]>;
}

/** Locks rows of a table that commands name by id alone. */
export function createRowLocks<Row>(table: string, columns: string, read: (row: TextRow) => Row): RowLocks<Row> {
  const name = table.replaceAll("_", "-");
  const lock: Statement = {
    name: `lock-${name}`,
    text: `select ${columns} from ${table} where id = any($1::uuid[]) order by id for no key update`,
  };
  const findLocked: Statement = {
    name: `find-locked-${name}`,
    text: `with requested as (select id, xmax::text as holder from ${table} where id = any($1::uuid[])),
    free as (select id from ${table} where id = any(array(select id from requested)) for no key update skip locked)
    select id, null, holder from requested where id not in (select id from free)`,
  };
  return {
    lock: async (session, ids) => (await session.run(lock, [uuidArray(ids)])).map(read),
    findLocked: async (session, ids) => (await session.run(findLocked, [uuidArray(ids)])).map(readLockedRow),
  };
}
