/** An account on one line: number, holder, and status unless active. */
import type { Account } from "../../ledger/accounts/account.ts";

/** Undefined for an unknown account. */
export function describeAccount(account: Account | undefined): string | undefined {
  if (!account) return undefined;
  const { accountNo, name, status } = account;
  return `${accountNo} ${name}${status === "active" ? "" : `, ${status}`}`;
}
