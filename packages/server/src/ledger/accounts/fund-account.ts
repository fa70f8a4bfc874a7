/** Puts money on a customer's account, from the funding account of its currency: once for each reference. */
import type { Account } from "./account.ts";
import type { Act } from "../act.ts";
import { type Minor, maxMinor } from "../money.ts";
import type { Posting } from "../posting.ts";
import { newInternalAccount } from "./internal-accounts.ts";
import { type Decision, reject } from "../rejection.ts";

export interface FundingOrder {
  /** Id of the act, made of the operator's reference: a second order with the same id is the same order again. */
  readonly actId: string;
  /** More than zero, in the currency of the account. */
  readonly amount: Minor;
  /** Id of the currency's funding account, should it have to be opened too. */
  readonly fundingId: string;
}

export interface FundingEffect {
  readonly newAccounts: readonly Account[];
  readonly postings: readonly Posting[];
  readonly act: Act;
}

/** `earlier`: the act of the same id: whether it moved this amount to this account, or something else. */
export function decideFunding(
  order: FundingOrder,
  account: Account | undefined,
  funding: Account | undefined,
  earlier: "same" | "other" | undefined,
): Decision<FundingEffect> {
  if (!account || account.purpose !== "customer") return reject("unknownAccount", "accountNo");
  if (earlier === "same") return { kind: "nothing" };
  if (earlier === "other") return reject("referenceUsed", "reference");
  if (account.status === "closed") return reject("accountClosed", "accountNo");
  const { actId, amount } = order;
  const source = funding ?? newInternalAccount(order.fundingId, "funding", account.currency);
  // Neither the account nor the sum owed to all holders may leave the row that counts it.
  if (account.balance + amount > maxMinor || source.balance - amount < -maxMinor) {
    return reject("overTransactionLimit", "amount");
  }
  return {
    kind: "effect",
    effect: {
      newAccounts: funding ? [] : [source],
      postings: [{ kind: "funding", from: source.id, to: account.id, amount }],
      act: { id: actId },
    },
  };
}
