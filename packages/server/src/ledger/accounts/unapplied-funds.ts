/**
 * Unapplied funds (spec D9): a credit never fails. Money that its account cannot take goes to the currency's account
 * `unclaimed`, which operators watch.
 */
import type { Account } from "./account.ts";
import { type Minor, maxMinor } from "../money.ts";
import { newInternalAccount } from "./internal-accounts.ts";

/** Internal accounts; one that does not exist yet is opened with the given id. */
export interface InternalAccounts {
  find(purpose: "unclaimed", currency: string): Account | undefined;
  readonly newId: string;
}

export interface Destination {
  readonly account: Account;
  /** The account, when it does not exist yet. */
  readonly newAccounts: readonly Account[];
}

/** The account itself, also when it is blocked or dormant; that of unapplied funds when it is closed or full. */
export function destinationOf(account: Account, amount: Minor, own: InternalAccounts): Destination {
  if (account.status !== "closed" && account.balance + amount <= maxMinor) return { account, newAccounts: [] };
  return unappliedFunds(account.currency, own);
}

export function unappliedFunds(currency: string, own: InternalAccounts): Destination {
  const unapplied = own.find("unclaimed", currency);
  if (unapplied) return { account: unapplied, newAccounts: [] };
  const opened = newInternalAccount(own.newId, "unclaimed", currency);
  return { account: opened, newAccounts: [opened] };
}
