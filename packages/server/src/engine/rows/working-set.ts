/**
 * The batch's working copy of the locked rows. Effects are applied here, in order, so that a later command
 * of the same batch sees what an earlier one did; what changed is then written once.
 */
import type { Session } from "../../store/postgres/session.ts";
import {
  type LoadedRows,
  type LockedRows,
  lockedRowsOf,
  type Locks,
  type OpenRows,
  openRows,
  type RowEffect,
} from "./lock-order.ts";
import type { Draft, KindRows, LockedNames, Prepared, Send } from "./row-kind.ts";

/** A decision needs a row that another transaction has locked: it is made when the row is free. */
export class RowLocked extends Error {
  override readonly name = "RowLocked";
  readonly row: string;
  constructor(row: string) {
    super(`row ${row} is locked`);
    this.row = row;
  }
}

export interface WorkingSet {
  /**
   * Rows that a command may see. Not even a rejection is decided without all locks: sends of one external id are
   * decided in turn by the rows they lock.
   * @throws RowLocked when the batch passed over one of these rows.
   */
  lockedRowsFor(locks: Locks): LockedRows;
  /** True when any declared row exists. */
  hasAny(locks: Locks): boolean;
  /** Prepares an effect; changes nothing. Rows it adds are found by the given partner reference key. */
  prepare(effect: RowEffect, journalId: string, partnerReferenceKey?: string): Prepared;
  /** Sends the statements that write what changed. */
  write(session: Session, at: string, send: Send): void;
  /** The same without those of accounts. */
  writeOtherKinds(session: Session, at: string, send: Send): void;
  readonly rows: OpenRows;
}

/** `locked`: rows that the batch passed over, because another transaction has locked them. */
export function createWorkingSet(loaded: LoadedRows & { readonly locked: LockedNames }): WorkingSet {
  const rows = openRows(loaded);
  const inWriteOrder: readonly KindRows<Locks, RowEffect>[] = Object.values(rows);
  const inLockOrder = inWriteOrder.toReversed();
  return {
    lockedRowsFor: (locks) => {
      if (loaded.locked.size > 0) {
        for (const name of inWriteOrder.flatMap((kind) => kind.namesOf(locks))) {
          const row = name === undefined ? undefined : loaded.locked.get(name);
          if (row) throw new RowLocked(row.id);
        }
      }
      return lockedRowsOf(rows, locks);
    },
    hasAny: (locks) => inWriteOrder.some((kind) => kind.hasAny(locks)),
    prepare: (effect, journalId, partnerReferenceKey) => {
      const draft: Draft = { journalId, partnerReferenceKey, reserves: [] };
      const parts = inLockOrder.map((kind) => kind.prepare(effect, draft));
      return {
        rows: parts.reduce((sum, part) => sum + part.rows, 0),
        apply: () => {
          for (const part of parts) part.apply();
        },
      };
    },
    write: (session, at, send) => {
      for (const kind of inWriteOrder) kind.write(session, at, send);
    },
    writeOtherKinds: (session, at, send) => {
      for (const kind of inWriteOrder) if (kind !== rows.accounts) kind.write(session, at, send);
    },
    rows,
  };
}
