/** Changes the terms of a customer's account: status, name, limits, authorized partners. Never its money. */
import { type Account, type AccountLimits, type HeldStatus, isElsewhere } from "./account.ts";
import { type Minor, zero } from "../money.ts";
import { type Decision, reject } from "../rejection.ts";

/** Change of an account; absent members stay as they are. */
export interface AccountChange {
  readonly status?: HeldStatus;
  readonly name?: string;
  readonly limits?: AccountLimits;
  /** The available balance may not fall below it. */
  readonly minimumBalance?: Minor;
  /** Internal ids of partners that may debit it from now on, and of those that may no longer. */
  readonly addPartners?: readonly string[];
  readonly removePartners?: readonly string[];
  /** True: an account may be closed with money on it, which then stays there; held money never allows it. */
  readonly closesWithMoney?: boolean;
  /** True: transfers from the account await a result, and it cannot be closed meanwhile (spec D9). */
  readonly hasOpenTransfers?: boolean;
}

export interface AccountChangeEffect {
  /** The account with its new terms. */
  readonly changed: Account;
}

/** Any state may follow any other, except closed: it needs an empty account, and is final. */
export function decideAccountChange(
  account: Account | undefined,
  change: AccountChange,
): Decision<AccountChangeEffect> {
  if (!account || account.purpose !== "customer") return reject("unknownAccount", "accountNo");
  const changed = changeTerms(account, change);
  if (isSame(account, changed)) return { kind: "nothing" };
  if (account.status === "closed") return reject("accountClosed", "accountNo");
  if (isElsewhere(account)) return reject("accountMoved", "accountNo");
  const { minimumBalance = zero } = changed;
  if (minimumBalance !== account.minimumBalance && account.balance - account.held < minimumBalance)
    return reject("insufficientFunds", "minimumBalance");
  if (changed.status === "closed") {
    if (account.held !== zero || change.hasOpenTransfers === true) return reject("accountInUse", "status");
    if (account.balance !== zero && change.closesWithMoney !== true) return reject("accountInUse", "status");
  }
  return { kind: "effect", effect: { changed } };
}

function changeTerms(account: Account, change: AccountChange): Account {
  const kept = account.partners.filter((partner) => change.removePartners?.includes(partner) !== true);
  const added = (change.addPartners ?? []).filter((partner) => !kept.includes(partner));
  return {
    ...account,
    status: change.status ?? account.status,
    name: change.name ?? account.name,
    limits: change.limits ?? account.limits,
    ...(change.minimumBalance !== undefined && { minimumBalance: change.minimumBalance }),
    partners: [...kept, ...new Set(added)],
  };
}

function isSame(a: Account, b: Account): boolean {
  const { perTransaction: each, daily, dailyCount } = a.limits;
  return (
    a.status === b.status &&
    a.name === b.name &&
    a.minimumBalance === b.minimumBalance &&
    each === b.limits.perTransaction &&
    daily === b.limits.daily &&
    dailyCount === b.limits.dailyCount &&
    a.partners.join() === b.partners.join()
  );
}
