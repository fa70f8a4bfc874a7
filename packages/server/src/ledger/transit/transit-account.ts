/**
 * Accounts of our own between two cells, a pair for each currency: `out` in the payer's cell, `in` in the payee's, which mirrors
 * it entry by entry. The version of `in` says how far it is, and its balance is minus that of `out` at that version.
 */
import type { Account } from "../accounts/account.ts";
import { newInternalAccount } from "../accounts/internal-accounts.ts";

/** A stream of money: from one cell to another, in one currency. */
export interface Transit {
  readonly from: number;
  readonly to: number;
  readonly currency: string;
}

/** The account that payments to a cell are credited to; a new one where there is none yet. */
export interface OutAccount {
  readonly found: Account | undefined;
  /** Id of the account, should it have to be opened. */
  readonly newId: string;
}

export function openOut({ found, newId }: OutAccount, to: number, currency: string): Account {
  return found ?? newInternalAccount(newId, "transit", currency, "out", to);
}

/** The account of what comes from a cell, as it was read there. */
export interface MirrorPosition {
  /** Id of the account that it mirrors. */
  readonly name: string;
  readonly version: number;
}

/**
 * True: this cell has lost payments that were mirrored, as after a restore without its last commits. A new one would take the place of one
 * that was lost, and never arrive. The mirror was read before the account was read or locked, and that only grows.
 */
export function isBehindMirror(
  out: Pick<Account, "id" | "version"> | undefined,
  mirror: MirrorPosition | undefined,
): boolean {
  return mirror !== undefined && (mirror.name !== out?.id || mirror.version > out.version);
}

/**
 * A new account of what comes from a cell. Its name is the id of the account that it mirrors: another database that is taken for
 * the same cell has another one.
 */
export function newIn(id: string, { from, currency }: Transit, mirrored: string): Account {
  return { ...newInternalAccount(id, "transit", currency, "in", from), name: mirrored };
}
