/** Our own accounts, as a decision of the ledger reaches for them. */
import type { Found } from "../engine/command.ts";
import type { OwnAccounts } from "../ledger/unclaimed.ts";

/** One that does not exist yet is opened with the given id. */
export function ownAccounts(found: Found, newId: string): OwnAccounts {
  return { find: (purpose, currency) => found.ownAccount(purpose, currency), newId };
}
