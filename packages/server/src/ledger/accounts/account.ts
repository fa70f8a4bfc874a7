/**
 * An account as the ledger decides on it. Balance = credits - debits: what we owe its holder.
 * Available balance = ledger balance - held, and never falls below the minimumBalance.
 */
import { type Minor, maxMinor } from "../money.ts";

/** As operators set it. */
export type HeldStatus = "active" | "dormant" | "blocked" | "closed";

/** moved: its cell is another one by now, where what is credited to it here goes on to; arriving: its money is on its way here. */
export type AccountStatus = HeldStatus | "moved" | "arriving";

/**
 * customer: a holder's; the others are ours (funding: money entering the ledger; restored: owed by payers, `restored-funds.ts`;
 * transit: on its way between cells, `transit-account.ts`; merchant: a merchant's, in a cell that has not its settlement account,
 * `merchant-account.ts`).
 */
export type AccountPurpose =
  | "customer"
  | "funding"
  | "suspense"
  | "clearing"
  | "fee"
  | "unclaimed"
  | "restored"
  | "transit"
  | "merchant";

/** Limits of one account; absent means none. Amounts in minor units of the account's currency. */
export interface AccountLimits {
  readonly perTransaction?: Minor;
  readonly daily?: Minor;
  readonly dailyCount?: number;
}

/** Limits as JSON keeps them: amounts as decimal texts of minor units. */
export interface WrittenLimits {
  readonly perTransaction?: string;
  readonly daily?: string;
  readonly dailyCount?: number;
}

export function writeLimits({ perTransaction, daily, dailyCount }: AccountLimits): WrittenLimits {
  return {
    ...(perTransaction !== undefined && { perTransaction: String(perTransaction) }),
    ...(daily !== undefined && { daily: String(daily) }),
    ...(dailyCount !== undefined && { dailyCount }),
  };
}

/** Debits of one business day. */
export interface DailyUse {
  readonly day: number;
  readonly total: Minor;
  readonly count: number;
}

export interface Account {
  readonly id: string;
  readonly accountNo: string;
  readonly name: string;
  readonly currency: string;
  readonly purpose: AccountPurpose;
  /** D current account, S savings. */
  readonly type: "D" | "S";
  readonly status: AccountStatus;
  /** Internal ids of the partners that may debit it. */
  readonly partners: readonly string[];
  readonly balance: Minor;
  readonly held: Minor;
  /** Number of entries so far; the next entry's version is one more. */
  readonly version: number;
  /** The available balance may not fall below it; absent: no limit (our own accounts). */
  readonly minimumBalance?: Minor;
  readonly limits: AccountLimits;
  readonly dailyUse: DailyUse;
}

/** True: another cell decides on it, or did a moment ago, and nothing is taken for it here. */
export function isElsewhere({ status }: Pick<Account, "status">): boolean {
  return status === "moved" || status === "arriving";
}

/** Amount that can be debited, in minor units; undefined: no limit. */
export function spendable(account: Account): bigint | undefined {
  return account.minimumBalance === undefined ? undefined : account.balance - account.held - account.minimumBalance;
}

/**
 * The use on the given business day. A node whose clock is behind at midnight counts on the day that another has begun:
 * otherwise two nodes in turn would reset the use each time.
 */
export function useOn(account: Account, day: number): DailyUse {
  return account.dailyUse.day >= day ? account.dailyUse : { day, total: 0n as Minor, count: 0 };
}

/** The use without an amount that was returned; unchanged on a later day. */
export function useWithout(account: Account, day: number, amount: Minor): DailyUse {
  const { dailyUse: use } = account;
  if (use.day !== day) return use;
  const total = use.total > amount ? use.total - amount : 0n;
  return { day, total: total as Minor, count: Math.max(0, use.count - 1) };
}

/** The use with one more debit, or `count` of them with this amount together. */
export function useAfter(account: Account, day: number, amount: Minor, count = 1): DailyUse {
  const use = useOn(account, day);
  const total = use.total + amount;
  // Money going round and round may pass a row's range within a day; a limit never reaches that far.
  return { day: use.day, total: total > maxMinor ? maxMinor : (total as Minor), count: use.count + count };
}
