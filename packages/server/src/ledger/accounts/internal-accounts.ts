/** Internal accounts: one per purpose and currency, those of a rail per rail, opened when first used. */
import type { Account, AccountPurpose } from "./account.ts";
import { zero } from "../money.ts";
import type { RailName } from "../rails/terms.ts";

export type InternalPurpose = Exclude<AccountPurpose, "customer">;

/**
 * Name of an internal account. The suspense account of a rail has parts (`suspense-part.ts`), each pair of cells has transit
 * accounts, and each merchant one in every cell in which it was paid.
 */
export type InternalAccountName =
  | readonly [purpose: "suspense", currency: string, rail: RailName, part: number]
  | readonly [purpose: "transit", currency: string, direction: TransitDirection, cell: number]
  | readonly [purpose: "merchant", currency: string, merchant: string]
  | readonly [
      purpose: Exclude<InternalPurpose, "suspense" | "transit" | "merchant">,
      currency: string,
      rail?: RailName,
    ];

/** To another cell, or from it. */
export type TransitDirection = "out" | "in";

/** Number of an internal account, such as `suspense:interbank:IDR:07`, `transit:out:IDR:07` or `merchant:<key>:IDR`; customers' numbers have no colon. */
export function internalAccountNo(...[purpose, currency, of, part]: InternalAccountName): string {
  const ofRail = of === undefined ? currency : `${of}:${currency}`;
  return part === undefined ? `${purpose}:${ofRail}` : `${purpose}:${ofRail}:${String(part).padStart(2, "0")}`;
}

/** A new internal account, without a minimum balance. */
export function newInternalAccount(id: string, ...name: InternalAccountName): Account {
  const [purpose, currency] = name;
  const accountNo = internalAccountNo(...name);
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
