/** Accounts that another cell decides on (docs/adr/0098-account-moves.md), named to one that they have left. */
import type { LockedRows, Locks } from "../engine/rows/lock-order.ts";
import type { Call } from "../interfaces/call.ts";
import { type Account, isElsewhere } from "../ledger/accounts/account.ts";
import type { Directory } from "../ledger/reference/directory.ts";
import type { Reference } from "../ledger/reference/reference-data.ts";
import { placeCall } from "./cells/place-call.ts";
import { cellsOfCaller } from "./cells/place-write.ts";

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
 * True: an account that the call names has moved, or is moving, and this node has not heard of it yet, or the cell has lost it. Nothing is taken then. A call whose
 * payer is in a cell that its partner has not is here for good: it is rejected as one of an account that the partner may not use, wherever other accounts are.
 */
export function namesElsewhere(
  call: Call,
  { accountNumbers = [] }: Locks,
  found: LockedRows,
  reference: Reference,
): boolean {
  const { directory } = reference;
  if (directory.cells.length === 1 || !isOfPartner(call, reference)) return false;
  return accountNumbers.some((accountNo) => isAway(found.account(accountNo), accountNo, directory));
}

/** True: it may be decided in the cell of its payer, as this node knows it now. */
function isOfPartner(call: Call, reference: Reference): boolean {
  const place = placeCall(call, reference);
  return place.kind === "any" || cellsOfCaller(call, reference).some(({ cell }) => cell === place.cell);
}
