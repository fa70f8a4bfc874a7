import type { AccountView } from "@titian/sandbox/types";

/** An account on one line: number, holder, and status unless active. Undefined for an unknown account. */
export function describeAccount(account: AccountView | undefined): string | undefined {
  if (!account) return undefined;
  const { accountNo, name, status } = account;
  return `${accountNo} ${name}${status === "active" ? "" : `, ${status}`}`;
}
