/** Writes a bulk back that the ledger has forgotten, with those of its items that its rail was handed (spec D13): by an act. */
import type { Account } from "../accounts/account.ts";
import { newInternalAccount } from "../accounts/internal-accounts.ts";
import { type Debited, debitRestored, type RestoredAccounts } from "../accounts/restored-funds.ts";
import type { Act } from "../act.ts";
import { type Minor, minor } from "../money.ts";
import type { Posting } from "../posting.ts";
import { type Bulk, bulkRail, newBulk } from "./bulk.ts";

export interface AdoptedItem {
  readonly sentAmount: Minor;
  readonly fee: Minor;
  /** As requested. */
  readonly dailyLimitAmount: Minor;
}

export interface BulkAdoptionOrder {
  readonly id: string;
  /** Internal id of the partner. */
  readonly partner: string;
  readonly currency: string;
  /** Those that are known: at least one. */
  readonly items: readonly AdoptedItem[];
  /** Business time (epoch ms). */
  readonly now: number;
  /** The business day of the request. */
  readonly day: number;
  readonly suspensePart: number;
  /** Id of that part, should it have to be opened. */
  readonly suspenseId: string;
  readonly actId: string;
}

export interface BulkAdoption {
  readonly effect: {
    readonly newBulks: readonly Bulk[];
    readonly postings: readonly Posting[];
    readonly newAccounts: readonly Account[];
    readonly dailyUses: Debited["dailyUses"];
    readonly act: Act;
  };
  readonly debited: Debited;
}

export function adoptBulk(
  order: BulkAdoptionOrder,
  suspense: Account | undefined,
  accounts: RestoredAccounts,
): BulkAdoption {
  const { id, partner, currency, items, now, day, suspensePart, actId } = order;
  const sumOf = (amount: (item: AdoptedItem) => bigint) => minor(items.reduce((sum, item) => sum + amount(item), 0n));
  const total = sumOf(({ sentAmount, fee }) => sentAmount + fee);
  const [amount, fee] = [sumOf((item) => item.dailyLimitAmount), sumOf((item) => item.fee)];
  const debited = debitRestored(
    { partner, currency, amount: total, dailyAmount: amount, count: items.length, day },
    accounts,
  );
  const to = suspense ?? newInternalAccount(order.suspenseId, "suspense", currency, bulkRail, suspensePart);
  const source = debited.account.id;
  const bulk = newBulk({ id, partner, source, currency, itemCount: items.length, amount, fee, at: now });
  return {
    effect: {
      newBulks: [bulk],
      postings: [{ kind: "submission", from: source, to: to.id, amount: total }],
      newAccounts: [...debited.newAccounts, ...(suspense ? [] : [to])],
      dailyUses: debited.dailyUses,
      act: { id: actId },
    },
    debited,
  };
}
