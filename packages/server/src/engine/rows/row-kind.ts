/**
 * A row kind is a table whose rows commands lock, change and write, together with what hangs on its rows. A batch knows
 * kinds only by these interfaces; `lock-order.ts` lists them.
 */
import type { Account } from "../../ledger/accounts/account.ts";
import type { Session } from "../../store/postgres/session.ts";
import type { LockedRow } from "../../store/tables/locked-row.ts";

/** Rows that others have locked, by every name a command may use. Never changed; what is learned makes a new one. */
export type LockedNames = ReadonlyMap<string, LockedRow>;

/** What a kind does for the commands of a batch. `AllKeys` are its own and those of other kinds that it needs. */
export interface RowKind<Locks, Keys, AllKeys extends Keys, Locked, Read> {
  /** The rows that commands name, each once. */
  keysOf(commands: readonly { readonly locks: Locks }[]): Keys;
  /** The rows of these ids, as far as there are any. */
  keysOfIds(ids: readonly string[]): Keys;
  /** The kind's own keys without what others have locked. At run time `keys` are those of all kinds: never spread them. */
  without(keys: Keys, locked: LockedNames): Keys;
  /** Locks the rows in the order of their ids, in one statement at most. What does not exist is not found. */
  lock(session: Session, keys: AllKeys, locked: LockedNames): Promise<Locked>;
  /** Reads, once all kinds are locked, what the locks of this one cover. */
  read?(session: Session, keys: Keys): Promise<Read>;
  /** Those of the rows that are locked now. Waits for nobody and keeps no lock. */
  findLocked(session: Session, keys: AllKeys): Promise<readonly LockedRow[]>;
  /** Whether a command that names this reads rows without bound: a batch carries few of them. */
  readsUnbounded?(locks: Locks): boolean;
}

/** Rows by id, and by the number key of the write that added them. */
export interface RowKeys {
  readonly ids: readonly string[];
  readonly partnerReferenceKeys: readonly string[];
}

export function isNothing({ ids, partnerReferenceKeys }: RowKeys): boolean {
  return ids.length + partnerReferenceKeys.length === 0;
}

/** Rows that name accounts in columns that never change: these accounts are locked with them, and after them. */
export interface AccountParents {
  readonly accountParents: RowKeys;
}

/** The rows of one kind in a batch's working copy. */
export interface KindRows<Locks, Effect> {
  /** All names of the rows that a command needs. */
  namesOf(locks: Locks): readonly (string | undefined)[];
  /** Whether any row is there that a command with keys declared. */
  hasAny(locks: Locks): boolean;
  /**
   * Works the kind's part of an effect out and changes nothing.
   * @throws when the effect names a row that was not locked, or cannot be written.
   */
  prepare(effect: Effect, draft: Draft): Prepared;
  /** Sends the statements that write what was applied. */
  write(session: Session, at: string, send: Send): void;
}

/** What the kinds share while an effect is worked out. */
export interface Draft {
  readonly journalId: string;
  /** Number key of the command; absent for a job. */
  readonly partnerReferenceKey: string | undefined;
  /** What is added to the money reserved on accounts, by account id; less than zero releases. Accounts come last. */
  readonly reserves: { readonly account: string; readonly amount: bigint }[];
}

export interface Prepared {
  /** Rows it writes: at least as many as are left of them once several effects of a batch met on one row. */
  readonly rows: number;
  /** Makes it stand: cannot fail, as long as nothing else was applied in between. */
  apply(): void;
}

export const nothingPrepared: Prepared = { rows: 0, apply: () => undefined };

export type Send = (statement: Promise<unknown>) => void;

/** The accounts of the working copy, as other kinds look at them. */
export interface Accounts {
  byId(id: string): Account | undefined;
  byNumber(accountNo: string): Account | undefined;
}
