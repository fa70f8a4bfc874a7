/** Accounts that another cell decides on (docs/adr/0098-account-moves.md), named to one that they have left. */
import type { LockedRows, Locks } from "../engine/rows/lock-order.ts";
import { type Account, isElsewhere } from "../ledger/accounts/account.ts";
import type { Directory } from "../ledger/reference/directory.ts";
import { cellsOfPartner, type Reference } from "../ledger/reference/reference-data.ts";

type Moved = Pick<Directory, "moved">;

/** True: home says that it was moved to the cell that was asked, which was restored since, and opens it anew. */
export function isLost(account: Account | undefined, accountNo: string, { moved }: Moved): boolean {
  return account === undefined && moved.has(accountNo);
}

/** True: nobody can say yet whether there is such an account: it has moved, which this node hears of within seconds, or it is lost. */
export function isAway(account: Account | undefined, accountNo: string, directory: Moved): boolean {
  return account === undefined ? isLost(account, accountNo, directory) : isElsewhere(account);
}

/**
 * True: an account that the call names has moved, or is moving, and this node has not heard of it yet, or the cell has lost it. Nothing is taken then. A call of a
 * partner that has not the cell by which it is decided is here for good, and is rejected as one of an account that it may not use.
 * `partner`: internal id.
 */
export function namesElsewhere(
  { accountNumbers = [] }: Locks,
  found: LockedRows,
  { directory, partners }: Reference,
  partner: string,
): boolean {
  if (directory.cells.length === 1) return false;
  const cells = cellsOfPartner(partners.get(partner));
  return accountNumbers.some((accountNo) => {
    if (!isAway(found.account(accountNo), accountNo, directory)) return false;
    const place = directory.cellOf(accountNo);
    return cells.some(({ cell }) => cell === place);
  });
}
