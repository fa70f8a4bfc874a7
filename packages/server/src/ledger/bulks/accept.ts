/** Accepts a bulk (20): all of it, or none. The total with fees goes to the rail's suspense account (spec D13). */
import { type Account, type DailyUse, useAfter } from "../accounts/account.ts";
import { mayDebit, rejectAmount, rejectDailyUse, rejectFunds, rejectState } from "../accounts/debit.ts";
import { newInternalAccount } from "../accounts/internal-accounts.ts";
import { type Minor, minor } from "../money.ts";
import type { Posting } from "../posting.ts";
import { findBank } from "../rails/banks.ts";
import { rejectHours } from "../rails/hours.ts";
import { rejectRailAmount } from "../rails/limits.ts";
import type { RailData, RailTerms } from "../rails/terms.ts";
import { type Decision, type Rejected, reject } from "../rejection.ts";
import { type FeeType, splitFee } from "../transfers/fees.ts";
import { type Bulk, bulkRail, newBulk } from "./bulk.ts";

/** Order of one item of a bulk. */
export interface BulkItemOrder {
  readonly amount: Minor;
  readonly currency: string;
  readonly bankCode: string;
}

export interface BulkOrder {
  readonly id: string;
  /** Internal id of the partner. */
  readonly partner: string;
  readonly feeType: FeeType | undefined;
  /** At least one. */
  readonly items: readonly BulkItemOrder[];
  /** Business time (epoch ms), and its business day. */
  readonly now: number;
  readonly day: number;
  /** Part of the rail's suspense account: that of all items. */
  readonly suspensePart: number;
  /** Id of that part, should it have to be opened. */
  readonly suspenseId: string;
}

export interface AcceptBulkEffect {
  readonly newBulks: readonly Bulk[];
  readonly postings: readonly Posting[];
  readonly newAccounts: readonly Account[];
  readonly dailyUses: readonly { readonly account: string; readonly use: DailyUse }[];
}

/**
 * In the order of spec D2, step 14: owner, banks, currencies, state, hours, amounts, counts and daily limit, funds. Each is
 * checked of all items before the next; a rejection names the first item that it applies to.
 */
export function decideBulk(
  order: BulkOrder,
  source: Account | undefined,
  suspense: Account | undefined,
  data: RailData,
): Decision<AcceptBulkEffect> {
  if (!source || !mayDebit(source, order.partner)) return reject("accountNotPermitted", "sourceAccountNo");
  const { id, partner, items, feeType, now, day } = order;
  const terms = data.rails[bulkRail];
  const rejected =
    rejectFirst(items, (item) => rejectBank(item, data)) ??
    rejectFirst(items, (item) => rejectCurrency(item, source, terms)) ??
    rejectState(source, "sourceAccountNo") ??
    rejectHours(terms, data.holidays, now) ??
    rejectFirst(items, ({ amount }) => rejectRailAmount(amount, terms)) ??
    rejectFirst(items, ({ amount }) => rejectFee(amount, feeType, terms)) ??
    rejectFirst(items, ({ amount }) => rejectAmount(amount, source));
  if (rejected) return rejected;
  const { amount, fee, debited } = totalOf(order, terms);
  const overLimit = rejectDailyUse({ amount, day, count: items.length }, source) ?? rejectFunds(debited, source);
  if (overLimit) return overLimit;
  const { currency } = source;
  const to = suspense ?? newInternalAccount(order.suspenseId, "suspense", currency, bulkRail, order.suspensePart);
  const bulk = newBulk({ id, partner, source: source.id, currency, itemCount: items.length, amount, fee, at: now });
  return {
    kind: "effect",
    effect: {
      newBulks: [bulk],
      postings: [{ kind: "submission", from: source.id, to: to.id, amount: debited }],
      newAccounts: suspense ? [] : [to],
      dailyUses: [{ account: source.id, use: useAfter(source, day, amount, items.length) }],
    },
  };
}

/** The first rejection of an item; its field is named within the item's. */
function rejectFirst(
  items: readonly BulkItemOrder[],
  check: (item: BulkItemOrder) => Rejected | undefined,
): Rejected | undefined {
  for (const [position, item] of items.entries()) {
    const rejected = check(item);
    if (rejected) return reject(rejected.rejection.kind, itemField(position, rejected.rejection.field ?? ""));
  }
  return undefined;
}

/** The path of an item's field: `bulkObject[17].amount.value`. */
export function itemField(position: number, field: string): string {
  return `bulkObject[${position}].${field}`;
}

export function isItemField(field: string): boolean {
  return field.startsWith("bulkObject[");
}

function rejectBank({ bankCode }: BulkItemOrder, data: RailData): Rejected | undefined {
  const bank = findBank(data, bankCode);
  if (!bank) return reject("bankUnknown", "bankCode");
  return bank === "own" ? reject("ownBank", "bankCode") : undefined;
}

function rejectCurrency({ currency }: BulkItemOrder, source: Account, terms: RailTerms): Rejected | undefined {
  const fits = currency === source.currency && currency === terms.currency;
  return fits ? undefined : reject("currencyMismatch", "amount.currency");
}

function rejectFee(amount: Minor, feeType: FeeType | undefined, terms: RailTerms): Rejected | undefined {
  const split = splitFee({ ...terms, amount, feeType });
  return split.kind === "rejection" ? split : undefined;
}

function totalOf({ items, feeType }: BulkOrder, terms: RailTerms) {
  let amount = 0n;
  let debited = 0n;
  let fee = 0n;
  for (const item of items) {
    const split = splitFee({ ...terms, amount: item.amount, feeType });
    if (split.kind === "rejection") throw new Error("an item's fee leaves its beneficiary nothing");
    amount += item.amount;
    debited += split.debited;
    fee += split.debited - split.sentAmount;
  }
  return { amount: minor(amount), debited: minor(debited), fee: minor(fee) };
}
