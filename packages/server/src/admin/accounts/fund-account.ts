/** Puts money on an account of a holder, by an operator's act. */
import { newId } from "../../basics/ids.ts";
import type { Account } from "../../ledger/accounts/account.ts";
import { decideFunding } from "../../ledger/accounts/fund-account.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import { type Minor, maxMinor, zero } from "../../ledger/money.ts";
import { reject } from "../../ledger/rejection.ts";
import { findAccountByNumber } from "../../store/reads/accounts.ts";
import { readActEntries } from "../../store/tables/acts.ts";
import { type AdminResult, done, rejected, rejectedByLedger } from "../result.ts";
import { submitAdmin } from "../submit.ts";
import { type AccountDeps, actIdOf, carryOutAct, describeFunding, ledgerOf, readAccount } from "./account-acts.ts";

/** An amount for an account, by a reference of the operator's own. */
export interface Funding {
  readonly accountNo: string;
  /** ISO 4217: the account's. */
  readonly currency: string;
  /** In minor units, more than zero. */
  readonly amount: Minor;
  /** 1 to 64 visible ASCII characters; the same one again repeats the act. */
  readonly reference: string;
}

/**
 * Puts money on an account, once for each reference, by an operator's act, whose id is made of the reference: so it may be repeated
 * after any failure, at once and later.
 */
export async function fundAccount(deps: AccountDeps, funding: Funding, reason?: string): Promise<AdminResult<Account>> {
  const { accountNo, currency, amount, reference } = funding;
  if (!/^[\x21-\x7e]{1,64}$/.test(reference)) {
    return rejected("invalidField", "A reference has 1 to 64 visible ASCII characters.", "reference");
  }
  if (amount <= zero || amount > maxMinor) {
    return rejected("invalidField", "An amount is more than zero, and fits the ledger.", "amount");
  }
  const account = await findAccountByNumber(deps.reads, accountNo);
  const order = { actId: actIdOf(`funding ${reference}`), amount, fundingId: newId() };
  const entries = describeFunding(accountNo, currency, amount);
  const moved = await readActEntries(deps.reads, order.actId);
  const earlier = moved === undefined ? undefined : moved === entries ? "same" : "other";
  // Found before anything is proposed; the engine decides.
  const early = decideFunding(order, account, undefined, earlier);
  if (early.kind === "rejection") return rejectedByLedger(early.rejection.kind, early.rejection.field);
  if (account && account.currency !== currency) return rejectedByLedger("currencyMismatch", "currency");
  if (account && early.kind === "nothing") return done(account);
  return carryOutAct(
    deps,
    {
      id: order.actId,
      kind: "funding",
      target: accountNo,
      reference,
      before: undefined,
      after: { amount: String(amount), currency, entries },
      reason,
    },
    { carryOut: () => carryOutFunding(deps, funding), accountNo },
  );
}

export async function carryOutFunding(deps: AccountDeps, funding: Funding): Promise<AdminResult<Account>> {
  const { accountNo, currency, amount, reference } = funding;
  const fundingNo = internalAccountNo("funding", currency);
  const order = { actId: actIdOf(`funding ${reference}`), amount, fundingId: newId() };
  const moved = describeFunding(accountNo, currency, amount);
  const result = await submitAdmin(ledgerOf(deps), {
    locks: { accountNumbers: [accountNo, fundingNo], actId: order.actId },
    decide: (found) => {
      const account = found.account(accountNo);
      // An account never changes its currency.
      if (account && account.currency !== currency) return reject("currencyMismatch", "currency");
      const act = found.act();
      const earlier = act === undefined ? undefined : act === moved ? "same" : "other";
      return decideFunding(order, account, found.account(fundingNo), earlier);
    },
  });
  return result.ok ? done(await readAccount(deps, accountNo)) : result;
}
