/** Accounts that another cell decides on (docs/adr/0098-account-moves.md), named to one that they have left. */
import type { LockedRows, Locks } from "../engine/rows/lock-order.ts";
import { isElsewhere } from "../ledger/accounts/account.ts";
import { cellsOfPartner, type Reference } from "../ledger/reference/reference-data.ts";

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
    const account = found.account(accountNo);
    // A cell that was restored has lost it, and it is opened anew.
    if (account === undefined ? !directory.moved.has(accountNo) : !isElsewhere(account)) return false;
    const place = directory.cellOf(accountNo);
    return cells.some(({ cell }) => cell === place);
  });
}
