import type { TextRow } from "../postgres/session.ts";

/** A row that another transaction has locked. */
export interface LockedRow {
  readonly id: string;
  /** What else a command may name it by: an account's number, the number key of a hold. */
  readonly alias: string | undefined;
  /** Number of the transaction that has locked it, as the row tells: a hint, never a truth. */
  readonly lockedBy: string;
}

/** A row of `id, alias, locked by`. */
export function readLockedRow([id, alias, lockedBy]: TextRow): LockedRow {
  return { id: id as string, alias: alias ?? undefined, lockedBy: lockedBy ?? "" };
}
