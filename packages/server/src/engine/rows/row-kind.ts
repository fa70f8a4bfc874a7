/**
 * A row kind is a table whose rows commands lock, change and write, with its dependent rows. A batch knows kinds only by
 * these interfaces; `lock-order.ts` lists them.
 */
import type { Account } from "../../ledger/accounts/account.ts";
import type { Session } from "../../store/postgres/session.ts";
import type { LockedRow } from "../../store/tables/locked-row.ts";

/** Rows that other transactions have locked, by every name a command may use. Immutable. */
export type LockedNames = ReadonlyMap<string, LockedRow>;

/** `AllKeys`: the keys of the kind, and those of other kinds that it needs. */
export interface RowKind<Locks, Keys, AllKeys extends Keys, Locked, Read> {
  /** The rows that commands name, each once. */
  keysOf(commands: readonly { readonly locks: Locks }[]): Keys;
  /** The rows of these ids, as far as there are any. */
  keysOfIds(ids: readonly string[]): Keys;
  /** The kind's own keys without locked rows. At run time `keys` are those of all kinds: never spread them. */
  without(keys: Keys, locked: LockedNames): Keys;
  /** Locks the rows in the order of their ids, in at most one statement. */
  lock(session: Session, keys: AllKeys, locked: LockedNames): Promise<Locked>;
  /** Reads dependent rows, once all kinds are locked. */
  read?(session: Session, keys: Keys): Promise<Read>;
  /** Reads what stands elsewhere of the rows that were named and not found; undefined: all were. Without locks. */
  readMissing?(session: Session, keys: Keys, locked: Locked): Promise<Partial<Read>> | undefined;
  /** Those of the rows that are locked now. Does not wait, and keeps no lock. */
  findLocked(session: Session, keys: AllKeys): Promise<readonly LockedRow[]>;
  /** True when a command that names this reads rows without bound: a batch carries few of them. */
  readsUnbounded?(locks: Locks): boolean;
}

/** Rows by id, and by the partner reference key of the request that added them. */
export interface RowKeys {
  readonly ids: readonly string[];
  readonly partnerReferenceKeys: readonly string[];
}

export function isNothing({ ids, partnerReferenceKeys }: RowKeys): boolean {
  return ids.length + partnerReferenceKeys.length === 0;
}

/** Rows that name accounts in immutable columns: these accounts are locked after them. */
export interface AccountParents {
  readonly accountParents: RowKeys;
}

/** The rows of one kind in a batch's working copy. */
export interface KindRows<Locks, Effect> {
  /** All names of the rows that a command needs. */
  namesOf(locks: Locks): readonly (string | undefined)[];
  /** True when any row that the locks name exists. */
  hasAny(locks: Locks): boolean;
  /**
   * Prepares the kind's part of an effect; changes nothing.
   * @throws when the effect names a row that was not locked, or cannot be written.
   */
  prepare(effect: Effect, draft: Draft): Prepared;
  /** Sends the statements that write what was applied. */
  write(session: Session, at: string, send: Send): void;
}

/** Shared by the kinds while an effect is prepared. */
export interface Draft {
  readonly journalId: string;
  /** Partner reference key of the command; absent for a job. */
  readonly partnerReferenceKey: string | undefined;
  /** Changes of held amounts, by account id; a negative amount releases. Accounts are prepared last. */
  readonly reserves: { readonly account: string; readonly amount: bigint }[];
}

export interface Prepared {
  /** Upper bound of the rows it writes: several effects on one row are written once. */
  readonly rows: number;
  /** Applies it; cannot fail, as long as nothing else was applied in between. */
  apply(): void;
}

export const nothingPrepared: Prepared = { rows: 0, apply: () => undefined };

export type Send = (statement: Promise<unknown>) => void;

/** The accounts of the working set, as other kinds read them. */
export interface Accounts {
  byId(id: string): Account | undefined;
  byNumber(accountNo: string): Account | undefined;
}
