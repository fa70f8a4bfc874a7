/** The account that holds the money of new transfers over a rail until their results. */
import { internalAccountNo } from "../../packages/server/src/ledger/accounts/internal-accounts.ts";
import { newTransfersPart } from "../../packages/server/src/ledger/accounts/suspense-part.ts";
import type { RailName } from "../../packages/server/src/ledger/rails/terms.ts";

export function suspenseNoOf(rail: RailName = "interbank"): string {
  return internalAccountNo("suspense", "IDR", rail, newTransfersPart);
}
