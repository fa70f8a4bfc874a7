/** Internal accounts: one per purpose and currency, opened when first used. */
import type { Account, AccountPurpose } from "./account.ts";
import { zero } from "../money.ts";
import type { RailName } from "../rails/terms.ts";

export type InternalPurpose = Exclude<AccountPurpose, "customer">;

/** Number of an internal account; customers' numbers have no colon. */
export function internalAccountNo(purpose: InternalPurpose, currency: string, rail?: RailName): string {
  return rail === undefined ? `${purpose}:${currency}` : `${purpose}:${rail}:${currency}`;
}

/** A new internal account, without a minimum balance. */
export function newInternalAccount(id: string, purpose: InternalPurpose, currency: string, rail?: RailName): Account {
  const accountNo = internalAccountNo(purpose, currency, rail);
  return newAccount({ id, accountNo, name: accountNo, currency, purpose, type: "D", status: "active", partners: [] });
}

export type AccountTerms = Omit<Account, "balance" | "held" | "version" | "limits" | "dailyUse"> &
  Partial<Pick<Account, "limits">>;

/** An account as it is opened: nothing on it, nothing used. */
export function newAccount(terms: AccountTerms): Account {
  return {
    ...terms,
    balance: zero,
    held: zero,
    version: 0,
    limits: terms.limits ?? {},
    dailyUse: { day: 0, total: zero, count: 0 },
  };
}
