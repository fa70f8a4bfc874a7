/** What every debit of a holder's account is checked for: whose it is, its state, its limits and its funds. */
import { type Account, spendable, useOn } from "./account.ts";
import { type Minor, maxMinor } from "./money.ts";
import { type Refused, refuse } from "./refusal.ts";

export interface Payment {
  readonly amount: Minor;
  /** Business day it is decided on. */
  readonly day: number;
}

export function mayDebit(account: Account, partner: string): boolean {
  return account.purpose === "customer" && account.partners.includes(partner);
}

export function refuseState(account: Account, field: string): Refused | undefined {
  if (account.status === "closed" || account.status === "blocked") return refuse("accountInactive", field);
  if (account.status === "dormant") return refuse("accountDormant", field);
  return undefined;
}

/**
 * Amount, then counts and daily limit, then funds (decision D2, step 14).
 * @param refuseLimit what else limits the amount, asked after the account's own limit.
 */
export function refusePayment(
  { amount, day }: Payment,
  source: Account,
  refuseLimit: () => Refused | undefined = () => undefined,
): Refused | undefined {
  const { limits } = source;
  const use = useOn(source, day);
  if (amount <= 0n) return refuse("amountTooSmall", "amount.value");
  if (limits.each !== undefined && amount > limits.each) return refuse("overTransactionLimit", "amount.value");
  const limited = refuseLimit();
  if (limited) return limited;
  if (limits.dailyCount !== undefined && use.count + 1 > limits.dailyCount) return refuse("tooManyInPeriod");
  if (limits.daily !== undefined && use.total + amount > limits.daily) return refuse("overDailyLimit");
  return refuseFunds(amount, source);
}

export function refuseFunds(amount: Minor, source: Account): Refused | undefined {
  const room = spendable(source);
  return room !== undefined && amount > room ? refuse("insufficientFunds") : undefined;
}

/** An amount that the account's row could not hold any more. */
export function refuseOverflow(amount: Minor, account: Account): Refused | undefined {
  return account.balance + amount > maxMinor ? refuse("overTransactionLimit", "amount.value") : undefined;
}
