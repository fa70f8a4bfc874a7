/** Changes the terms of an account of a holder. */
import type { Account } from "../../ledger/accounts/account.ts";
import { type AccountChange, decideAccountChange } from "../../ledger/accounts/change-account.ts";
import { type AdminResult, done } from "../result.ts";
import { submitAdmin } from "../submit.ts";
import { type AccountDeps, ledgerOf, readAccount } from "./account-acts.ts";
import { isName, rejectName } from "./account-name.ts";

export async function changeAccount(
  deps: AccountDeps,
  accountNo: string,
  change: AccountChange,
): Promise<AdminResult<Account>> {
  if (change.name !== undefined && !isName(change.name)) return rejectName();
  const result = await submitAdmin(ledgerOf(deps), {
    locks: { accountNumbers: [accountNo], openTransfersOf: [accountNo] },
    decide: (found) =>
      decideAccountChange(found.account(accountNo), { ...change, hasOpenTransfers: found.hasOpenTransfers(accountNo) }),
  });
  return result.ok ? done(await readAccount(deps, accountNo)) : result;
}
