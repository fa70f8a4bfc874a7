/**
 * A merchant's account in a cell other than that of its settlement account (docs/adr/0096-merchants-in-cells.md): captures there credit it,
 * and refunds debit it, so that neither depends on another cell. What is on it is swept to the settlement account.
 */
import type { Account } from "../accounts/account.ts";
import { internalAccountNo, newInternalAccount } from "../accounts/internal-accounts.ts";
import { zero } from "../money.ts";

/** `merchant`: its key. Like a holder's account, it is never debited below zero. */
export function newMerchantAccount(id: string, currency: string, merchant: string): Account {
  return { ...newInternalAccount(id, "merchant", currency, merchant), minimumBalance: zero };
}

export interface MerchantInCell {
  readonly merchant: string;
  readonly currency: string;
}

const numbers = new RegExp(`^${internalAccountNo("merchant", "([A-Z]{3})", "([0-9a-f-]{36})")}$`);

/** Merchant of the account with this number; undefined: it is no merchant's. */
export function merchantOfAccount(accountNo: string): MerchantInCell | undefined {
  const [, merchant, currency] = numbers.exec(accountNo) ?? [];
  return merchant === undefined || currency === undefined ? undefined : { merchant, currency };
}
