/** Accounts of a merchant: settlement account and default payer (spec D6, D10). */
import { type Account, isElsewhere } from "../../ledger/accounts/account.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { findAccountByNumber, findAccountsById } from "../../store/reads/accounts.ts";
import type { MerchantRow } from "../../store/reference/reference.ts";
import type { MerchantTermsInput } from "./merchant-input.ts";
import { type AdminResult, done, rejected } from "../result.ts";

export interface MerchantAccounts {
  readonly settlement: Account;
  readonly payer: Account | undefined;
}

/**
 * The accounts a merchant has by these terms. What is kept of `before` is not asked for its status: a merchant whose
 * account was closed can still be changed.
 */
export async function chooseAccounts(
  client: StatementPool,
  terms: MerchantTermsInput,
  before?: MerchantRow,
): Promise<AdminResult<MerchantAccounts>> {
  const { settlementAccountNo, payerAccountNo, defaultHoldAmount } = terms;
  const kept = await findKept(client, before);
  const settlement = await choose(client, settlementAccountNo, kept?.settlement);
  if (!settlement) return rejectAccount("settlementAccountNo");
  const payer = await choose(client, payerAccountNo, kept?.payer);
  if (typeof payerAccountNo === "string" && !payer) return rejectAccount("payerAccountNo");
  if (payer?.id === settlement.id && saysAccount(terms)) {
    const message = "Payer and settlement account are the same: every payment without a payer would be rejected.";
    return rejected("invalidField", message, payerAccountNo === undefined ? "settlementAccountNo" : "payerAccountNo");
  }
  if (payer && payer.currency !== settlement.currency) {
    return rejected("invalidField", "Payer and settlement account have different currencies.", "payerAccountNo");
  }
  const keepsAmount = defaultHoldAmount === undefined && before?.settings.defaultHoldAmount !== undefined;
  if (keepsAmount && kept?.settlement.currency !== settlement.currency) {
    const message = "The default hold amount is in another currency than the settlement account: give it too.";
    return rejected("invalidField", message, "defaultHoldAmount");
  }
  return done({ settlement, payer });
}

/** One that was registered with both the same can still be renamed or suspended. */
function saysAccount({ settlementAccountNo, payerAccountNo }: MerchantTermsInput): boolean {
  return settlementAccountNo !== undefined || payerAccountNo !== undefined;
}

async function findKept(client: StatementPool, before?: MerchantRow): Promise<MerchantAccounts | undefined> {
  if (!before) return undefined;
  const { settlementAccount, payerAccount } = before;
  const ids = payerAccount === undefined ? [settlementAccount] : [settlementAccount, payerAccount];
  const accounts = await findAccountsById(client, ids);
  const settlement = accounts.get(settlementAccount);
  return settlement && { settlement, payer: payerAccount === undefined ? undefined : accounts.get(payerAccount) };
}

async function choose(
  client: StatementPool,
  accountNo: string | null | undefined,
  kept: Account | undefined,
): Promise<Account | undefined> {
  if (accountNo === undefined) return kept;
  if (accountNo === null) return undefined;
  const account = await findAccountByNumber(client, accountNo);
  const isTaken = account?.purpose === "customer" && account.status !== "closed" && !isElsewhere(account);
  return isTaken ? account : undefined;
}

function rejectAccount(field: string): AdminResult<never> {
  return rejected(
    "unknownAccount",
    "There is no such account of a holder, or it is closed, or in another cell.",
    field,
  );
}
