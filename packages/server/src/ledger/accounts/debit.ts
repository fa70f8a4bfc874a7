/** Checks of a debit of a customer's account: owner, state, limits and funds. */
import { type Account, isElsewhere, spendable, useOn } from "./account.ts";
import { type Minor, maxMinor } from "../money.ts";
import { type Rejected, reject } from "../rejection.ts";

export interface Payment {
  readonly amount: Minor;
  /** Business day it is decided on. */
  readonly day: number;
}

export function mayDebit(account: Account, partner: string): boolean {
  return account.purpose === "customer" && account.partners.includes(partner);
}

export function rejectState(account: Account, field: string): Rejected | undefined {
  if (account.status === "closed" || account.status === "blocked") return reject("accountInactive", field);
  // Calls that name it were answered before that nothing is taken (operations/write.ts).
  if (isElsewhere(account)) return reject("accountInactive", field);
  if (account.status === "dormant") return reject("accountDormant", field);
  return undefined;
}

/** That of a payee: what is credited to one that has moved goes on to its cell. */
export function rejectPayeeState(account: Account, field: string): Rejected | undefined {
  return account.status === "moved" ? undefined : rejectState(account, field);
}

/**
 * Amount, then counts and daily limit, then funds (spec D2, step 14).
 * @param rejectLimit what else limits the amount, asked after the account's own limit.
 */
export function rejectPayment(
  { amount, day }: Payment,
  source: Account,
  rejectLimit: () => Rejected | undefined = () => undefined,
): Rejected | undefined {
  return (
    rejectAmount(amount, source) ??
    rejectLimit() ??
    rejectDailyUse({ amount, day, count: 1 }, source) ??
    rejectFunds(amount, source)
  );
}

/** The account's limit of one payment. */
export function rejectAmount(amount: Minor, { limits }: Account): Rejected | undefined {
  if (amount <= 0n) return reject("amountTooSmall", "amount.value");
  if (limits.perTransaction !== undefined && amount > limits.perTransaction)
    return reject("overTransactionLimit", "amount.value");
  return undefined;
}

/** The account's limits of a day; `amount`: of `count` payments together. */
export function rejectDailyUse(
  { amount, day, count }: Payment & { readonly count: number },
  source: Account,
): Rejected | undefined {
  const { limits } = source;
  const use = useOn(source, day);
  if (limits.dailyCount !== undefined && use.count + count > limits.dailyCount) return reject("tooManyInPeriod");
  if (limits.daily !== undefined && use.total + amount > limits.daily) return reject("overDailyLimit");
  return undefined;
}

export function rejectFunds(amount: Minor, source: Account): Rejected | undefined {
  const available = spendable(source);
  return available !== undefined && amount > available ? reject("insufficientFunds") : undefined;
}

/** An amount that the account's row could not hold any more. */
export function rejectOverflow(amount: Minor, account: Account): Rejected | undefined {
  return account.balance + amount > maxMinor ? reject("overTransactionLimit", "amount.value") : undefined;
}
