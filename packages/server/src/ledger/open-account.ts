/** Opening a holder's account, with its opening balance from the funding account of its currency: one decision. */
import type { Account, AccountLimits, AccountStatus } from "./account.ts";
import { type Minor, maxMinor, zero } from "./money.ts";
import type { Movement } from "./movement.ts";
import { newAccount, newOwnAccount } from "./own-accounts.ts";
import { type Decision, refuse } from "./refusal.ts";

export interface OpeningOrder {
  /** Id of the account to open; a second order with the same id is the same order again. */
  readonly id: string;
  readonly accountNo: string;
  readonly name: string;
  readonly currency: string;
  readonly type: "D" | "S";
  readonly status: AccountStatus;
  /** Internal ids of the partners that may debit it. */
  readonly partners: readonly string[];
  readonly limits: AccountLimits;
  /** Zero or more. */
  readonly balance: Minor;
  /** Id of the currency's funding account, should it have to be opened too. */
  readonly fundingId: string;
}

export interface OpeningEffect {
  readonly opens: readonly Account[];
  readonly movements: readonly Movement[];
}

/** `existing` is the account of the wanted number, else of the order's id; `funding` the currency's funding account. */
export function decideOpening(
  order: OpeningOrder,
  existing: Account | undefined,
  funding: Account | undefined,
): Decision<OpeningEffect> {
  if (existing) {
    const isThis = existing.id === order.id && existing.accountNo === order.accountNo;
    return isThis ? { kind: "nothing" } : refuse("accountExists", "accountNo");
  }
  if (order.status === "closed" && order.balance !== zero) return refuse("accountInUse", "balance");
  const account = newAccount({ ...order, purpose: "customer", floor: zero });
  if (order.balance === zero) return { kind: "effect", effect: { opens: [account], movements: [] } };
  const source = funding ?? newOwnAccount(order.fundingId, "funding", order.currency);
  // What holders are owed altogether must fit the row that counts it.
  if (source.balance - order.balance < -maxMinor) return refuse("overTransactionLimit", "balance");
  return {
    kind: "effect",
    effect: {
      opens: funding ? [account] : [account, source],
      movements: [{ kind: "funding", from: source.id, to: account.id, amount: order.balance }],
    },
  };
}
