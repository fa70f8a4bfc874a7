/**
 * Mirrors an entry of another cell's transit account: debits this cell's account of what comes from there, and credits the payee.
 * Any number of shippers may send the same entries: the account decides by its version which one is next.
 */
import type { Account } from "../accounts/account.ts";
import { type Destination, destinationOf, type InternalAccounts, unappliedFunds } from "../accounts/unapplied-funds.ts";
import type { Minor } from "../money.ts";
import type { Posting } from "../posting.ts";
import { type Decision, reject } from "../rejection.ts";
import { newIn, type Transit } from "./transit-account.ts";

/** A payment's, a merchant's between its accounts, or that of an account that has moved. */
export type TransitMoney = "payment" | "sweep" | "relocation";

/** An entry of a transit account, as its cell has it. */
export interface TransitEntry {
  readonly transit: Transit;
  /** Id of the account. */
  readonly account: string;
  /** From 1. */
  readonly version: number;
  readonly amount: Minor;
  readonly balanceAfter: Minor;
  readonly of: TransitMoney;
}

export interface MirrorAccounts {
  /** The account whose number the payment names, if this cell has it. */
  readonly payee: Account | undefined;
  /** The account of a merchant that this cell has lost by a restore, or never had; opened by its first money. */
  readonly newPayee?: Account | undefined;
  /** That of what comes from the cell; opened with the id by its first entry. */
  readonly found: Account | undefined;
  readonly newId: string;
  readonly unapplied: InternalAccounts;
}

export interface MirrorEffect {
  readonly postings: readonly Posting[];
  readonly newAccounts: readonly Account[];
  /** True: the payee cannot take it, and it went to unapplied funds. */
  readonly isDiverted: boolean;
}

/** "nothing": it was mirrored already. */
export function decideMirror(entry: TransitEntry, accounts: MirrorAccounts): Decision<MirrorEffect> {
  const { transit, account, version, amount, balanceAfter } = entry;
  const mirror = accounts.found ?? newIn(accounts.newId, transit, account);
  if (mirror.name !== account) return reject("mirrorDiffers", "account");
  if (mirror.version > version) return { kind: "nothing" };
  if (mirror.version === version) {
    return mirror.balance === -balanceAfter ? { kind: "nothing" } : reject("mirrorDiffers", "balance");
  }
  if (mirror.version + 1 < version) return reject("mirrorGap");
  if (mirror.balance !== amount - balanceAfter) return reject("mirrorDiffers", "balance");
  // An entry that takes back what was sent: no payment does that.
  if (amount <= 0n) return reject("mirrorDiffers", "amount");
  const { account: credited, newAccounts } = credit(entry, accounts);
  const kind = entry.of === "payment" ? "transit" : entry.of;
  return {
    kind: "effect",
    effect: {
      postings: [{ kind, from: mirror.id, to: credited.id, amount }],
      newAccounts: accounts.found ? newAccounts : [mirror, ...newAccounts],
      isDiverted: credited !== (accounts.payee ?? accounts.newPayee),
    },
  };
}

/** A credit never fails, as of captures: one that could not be made would keep all behind it. */
function credit({ transit, amount }: TransitEntry, { payee, newPayee, unapplied }: MirrorAccounts): Destination {
  const { currency } = transit;
  if (!payee && newPayee) return { account: newPayee, newAccounts: [newPayee] };
  const isPayee = payee?.purpose === "customer" || payee?.purpose === "merchant";
  return isPayee && payee.currency === currency
    ? destinationOf(payee, amount, unapplied)
    : unappliedFunds(currency, unapplied);
}
