import type { TextRow } from "../postgres/session.ts";

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
