/** A payee in another cell, read there without a lock before the payer's cell decides. */
import type { Account } from "../../ledger/accounts/account.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import type { Directory } from "../../ledger/reference/directory.ts";
import type { TransitPosition } from "../../store/reads/transit.ts";
import { isAway } from "../accounts-elsewhere.ts";
import type { AccountLooks, FoundAccounts } from "./account-looks.ts";

/** The payee's cell, as this node reads it. */
export interface PayeeCell {
  readonly looks: AccountLooks;
}

/** As its cell has it now. */
export interface SeenPayee {
  readonly account: Account | undefined;
  /** The account that mirrors what this cell has sent there. */
  readonly mirror: TransitPosition | undefined;
}

interface Wanted {
  readonly partner: string;
  readonly accountNo: string;
  /** The payer's cell. */
  readonly from: number;
  readonly currency: string;
}

/** Undefined: the cell is silent. */
export function seePayee(cell: PayeeCell | undefined, { partner, ...wanted }: Wanted): Promise<SeenPayee | undefined> {
  return findPayee(async (accountNos) => cell?.looks.find(partner, accountNos), wanted);
}

/** `find`: by account numbers, in the payee's cell. Undefined where that answers nothing. */
export async function findPayee(
  find: (accountNos: readonly string[]) => Promise<FoundAccounts | undefined>,
  { accountNo, from, currency }: Omit<Wanted, "partner">,
): Promise<SeenPayee | undefined> {
  const mirrorNo = internalAccountNo("transit", currency, "in", from);
  const found = await find([accountNo, mirrorNo]);
  return found && { account: found.get(accountNo), mirror: found.get(mirrorNo) };
}

/** The account alone. Undefined: the cell is silent. */
export async function seeAccount(
  cell: PayeeCell | undefined,
  partner: string,
  accountNo: string,
): Promise<Pick<SeenPayee, "account"> | undefined> {
  const found = await cell?.looks.find(partner, [accountNo]);
  return found && { account: found.get(accountNo) };
}

/** Undefined where nobody can say yet whether there is such an account. */
export function unlessElsewhere<Seen extends Pick<SeenPayee, "account">>(
  seen: Seen | undefined,
  accountNo: string,
  directory: Pick<Directory, "moved">,
): Seen | undefined {
  return seen && isAway(seen.account, accountNo, directory) ? undefined : seen;
}
