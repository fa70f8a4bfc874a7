/** Opens a customer's account, with an opening balance from the funding account of its currency. */
import type { Account, AccountLimits, HeldStatus } from "./account.ts";
import type { Act } from "../act.ts";
import { type Minor, maxMinor, zero } from "../money.ts";
import type { Posting } from "../posting.ts";
import { newAccount, newInternalAccount } from "./internal-accounts.ts";
import { type Decision, reject } from "../rejection.ts";

export interface OpeningOrder {
  /** Id of the account to open; a second order with the same id is the same order again. */
  readonly id: string;
  readonly accountNo: string;
  readonly name: string;
  readonly currency: string;
  readonly type: "D" | "S";
  readonly status: HeldStatus;
  /** Internal ids of the partners that may debit it. */
  readonly partners: readonly string[];
  readonly limits: AccountLimits;
  /** Zero or more. */
  readonly balance: Minor;
  /** Id of the currency's funding account, should it have to be opened too. */
  readonly fundingId: string;
  /** Act of the opening balance. */
  readonly actId: string;
}

export interface OpeningEffect {
  readonly newAccounts: readonly Account[];
  readonly postings: readonly Posting[];
  /** Act of the posting; absent where there is none. */
  readonly act?: Act;
}

/** `existing`: the account of the same number, else of the same id; `funding`: the funding account of the currency. */
export function decideOpening(
  order: OpeningOrder,
  existing: Account | undefined,
  funding: Account | undefined,
): Decision<OpeningEffect> {
  if (existing) {
    const isThis = existing.id === order.id && existing.accountNo === order.accountNo;
    return isThis ? { kind: "nothing" } : reject("accountExists", "accountNo");
  }
  if (order.status === "closed" && order.balance !== zero) return reject("accountInUse", "balance");
  const account = newAccount({ ...order, purpose: "customer", minimumBalance: zero });
  if (order.balance === zero) return { kind: "effect", effect: { newAccounts: [account], postings: [] } };
  const source = funding ?? newInternalAccount(order.fundingId, "funding", order.currency);
  // The sum owed to all holders must fit the row that counts it.
  if (source.balance - order.balance < -maxMinor) return reject("overTransactionLimit", "balance");
  return {
    kind: "effect",
    effect: {
      newAccounts: funding ? [account] : [account, source],
      postings: [{ kind: "funding", from: source.id, to: account.id, amount: order.balance }],
      act: { id: order.actId },
    },
  };
}
