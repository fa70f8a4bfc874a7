/**
 * Moves a merchant's money from one cell to another: to its settlement account, or back for a refund. It is a payment across cells
 * without a request; the account of the merchant that its journal names says whose it is (docs/adr/0096-merchants-in-cells.md).
 */
import { type Account, spendable } from "../accounts/account.ts";
import { type Minor, maxMinor, minor } from "../money.ts";
import type { Posting } from "../posting.ts";
import type { Decision } from "../rejection.ts";
import { newMerchantAccount } from "./merchant-account.ts";
import { isBehindMirror, type MirrorPosition, openOut, type OutAccount } from "./transit-account.ts";

export interface SweepOrder {
  /** Key of the merchant. */
  readonly merchant: string;
  readonly currency: string;
  /** The cell that gets it. */
  readonly to: number;
  /** Minor units, at most; undefined: all there is. */
  readonly amount: Minor | undefined;
  /** Minor units that stay, for refunds that are about to take them. */
  readonly leaves: Minor;
  /** As the other cell has it; read before anything is locked here. */
  readonly mirror: MirrorPosition | undefined;
}

export interface SweptAccounts {
  /** The settlement account, in the cell that has it; undefined elsewhere. */
  readonly settlement: Account | undefined;
  /** The merchant's account in this cell; opened with the id where there is none. */
  readonly merchant: { readonly found: Account | undefined; readonly newId: string };
  readonly out: OutAccount;
}

export interface SweepEffect {
  readonly amount: Minor;
  readonly postings: readonly Posting[];
  readonly newAccounts: readonly Account[];
  /** Version of the transit account's entry. */
  readonly transitVersion: number;
}

/** "nothing": there is no money, or this cell has lost payments that were mirrored. */
export function decideSweep(order: SweepOrder, accounts: SweptAccounts): Decision<SweepEffect> {
  const { merchant: key, currency, to, mirror, leaves } = order;
  const { settlement, merchant, out } = accounts;
  const own = merchant.found ?? newMerchantAccount(merchant.newId, currency, key);
  const source = settlement ?? own;
  if (source.currency !== currency || isBehindMirror(out.found, mirror)) return { kind: "nothing" };
  const transit = openOut(out, to, currency);
  const amount = least((spendable(source) ?? 0n) - leaves, order.amount ?? maxMinor, maxMinor - transit.balance);
  if (amount <= 0n) return { kind: "nothing" };
  const opened = [...(merchant.found ? [] : [own]), ...(out.found ? [] : [transit])];
  const sent: Posting = { kind: "sweep", from: own.id, to: transit.id, amount };
  const postings = settlement ? [{ ...sent, from: settlement.id, to: own.id }, sent] : [sent];
  const effect = { amount, postings, newAccounts: opened, transitVersion: transit.version + 1 };
  return { kind: "effect", effect };
}

function least(...amounts: readonly bigint[]): Minor {
  return minor(amounts.reduce((one, other) => (one < other ? one : other)));
}
