/**
 * Money must come home whatever changed since (spec D9). What cannot be credited to the account it belongs on goes
 * to the currency's unclaimed account, is listed for operators, and never fails.
 */
import type { Account } from "./account.ts";
import { type Minor, maxMinor } from "../money.ts";
import { newInternalAccount, type InternalPurpose } from "./internal-accounts.ts";

/** Our own accounts as a decision may reach for them; one that does not exist yet is opened with the given id. */
export interface InternalAccounts {
  find(purpose: InternalPurpose, currency: string): Account | undefined;
  readonly newId: string;
}

export interface Destination {
  readonly account: Account;
  /** To be opened with the effect, when it is its first money. */
  readonly newAccounts: readonly Account[];
}

/** The account itself, also when it is blocked or dormant; the unclaimed account when it is closed or full. */
export function destinationOf(account: Account, amount: Minor, own: InternalAccounts): Destination {
  if (account.status !== "closed" && account.balance + amount <= maxMinor) return { account, newAccounts: [] };
  const unclaimed = own.find("unclaimed", account.currency);
  if (unclaimed) return { account: unclaimed, newAccounts: [] };
  const opened = newInternalAccount(own.newId, "unclaimed", account.currency);
  return { account: opened, newAccounts: [opened] };
}
