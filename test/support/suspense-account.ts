/** The account that holds the money of a payer's pending transfers over a rail: a part of the rail's suspense account. */
import { internalAccountNo } from "../../packages/server/src/ledger/accounts/internal-accounts.ts";
import { suspensePartOf } from "../../packages/server/src/ledger/accounts/suspense-part.ts";
import type { RailName } from "../../packages/server/src/ledger/rails/terms.ts";

export function suspenseNoOf(payerAccountNo: string, rail: RailName = "interbank"): string {
  return internalAccountNo("suspense", "IDR", rail, suspensePartOf(payerAccountNo));
}
