/**
 * Restored funds: a payment that a rail carried is written back into a ledger that has forgotten it, whatever limits say now,
 * since the money has left. A payer who cannot be debited owes it: the currency's account `restored` pays, and operators see whom for.
 */
import type { Minor } from "../money.ts";
import { reject, type RejectionKind } from "../rejection.ts";
import { type Account, type DailyUse, useAfter } from "./account.ts";
import { mayDebit, rejectFunds } from "./debit.ts";
import { newInternalAccount } from "./internal-accounts.ts";

export interface RestoredDebit {
  /** Internal id. */
  readonly partner: string;
  readonly currency: string;
  /** With all fees. */
  readonly amount: Minor;
  /** Amount that counts towards the daily limits, of so many payments on that business day. */
  readonly dailyAmount: Minor;
  readonly count: number;
  readonly day: number;
}

export interface RestoredAccounts {
  readonly payer: Account | undefined;
  /** `restored` of the currency; opened with the id when first used. */
  readonly restored: Account | undefined;
  readonly restoredId: string;
}

export interface Debited {
  readonly account: Account;
  /** The account, when it does not exist yet. */
  readonly newAccounts: readonly Account[];
  readonly dailyUses: readonly { readonly account: string; readonly use: DailyUse }[];
  /** Reason why the payer owes it; undefined: the payer is debited. */
  readonly owedBecause?: RejectionKind | undefined;
}

export function debitRestored(debit: RestoredDebit, { payer, restored, restoredId }: RestoredAccounts): Debited {
  const owedBecause = payer ? rejectPayer(debit, payer)?.rejection.kind : "unknownPayer";
  if (payer && owedBecause === undefined) return { account: payer, newAccounts: [], dailyUses: usesOf(debit, payer) };
  if (restored) return { account: restored, newAccounts: [], dailyUses: [], owedBecause };
  const account = newInternalAccount(restoredId, "restored", debit.currency);
  return { account, newAccounts: [account], dailyUses: [], owedBecause };
}

/** Neither limits nor a dormant account: they were looked at when it was accepted. */
function rejectPayer({ partner, currency, amount }: RestoredDebit, payer: Account) {
  if (!mayDebit(payer, partner)) return reject("accountNotPermitted");
  if (payer.currency !== currency) return reject("currencyMismatch");
  if (payer.status === "closed" || payer.status === "blocked") return reject("accountInactive");
  return rejectFunds(amount, payer);
}

/** A day that is over for the account counts no more. */
function usesOf({ day, dailyAmount, count }: RestoredDebit, payer: Account): Debited["dailyUses"] {
  return payer.dailyUse.day > day ? [] : [{ account: payer.id, use: useAfter(payer, day, dailyAmount, count) }];
}
