/** Our own accounts, as a decision of the ledger reaches for them. */
import type { LockedRows } from "../../engine/command.ts";
import type { InternalAccounts } from "../../ledger/accounts/unclaimed.ts";

/** One that does not exist yet is opened with the given id. */
export function internalAccounts(found: LockedRows, newId: string): InternalAccounts {
  return { find: (purpose, currency) => found.internalAccount(purpose, currency), newId };
}
