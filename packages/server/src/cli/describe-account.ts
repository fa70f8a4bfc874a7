/** An account in a line: its number, its holder, and its status where it is worth a word. */
import type { Account } from "../ledger/account.ts";

/** Undefined for an account that is not there. */
export function describeAccount(account: Account | undefined): string | undefined {
  if (!account) return undefined;
  const { accountNo, name, status } = account;
  return `${accountNo} ${name}${status === "active" ? "" : `, ${status}`}`;
}
