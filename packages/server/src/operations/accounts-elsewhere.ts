/** Accounts that another cell decides on (docs/adr/0098-account-moves.md), named to one that they have left. */
import type { LockedRows, Locks } from "../engine/rows/lock-order.ts";
import { isElsewhere } from "../ledger/accounts/account.ts";
import type { Reference } from "../ledger/reference/reference-data.ts";

/** True: an account that the call names has moved, or is moving, and this node has not heard of it yet. Nothing is taken then. */
export function namesElsewhere({ accountNumbers = [] }: Locks, found: LockedRows, { directory }: Reference): boolean {
  if (directory.cells.length === 1) return false;
  return accountNumbers.some((accountNo) => {
    const account = found.account(accountNo);
    return account !== undefined && isElsewhere(account);
  });
}
