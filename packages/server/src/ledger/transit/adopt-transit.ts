/**
 * Writes payments to another cell back that this one has lost by a restore: the other has credited them. Who paid is not known there, so
 * restored funds pay, and operators find the payers with the partners (docs/adr/0094-mirrored-transit.md).
 */
import type { Act } from "../act.ts";
import type { Account } from "../accounts/account.ts";
import { newInternalAccount } from "../accounts/internal-accounts.ts";
import { type Minor, maxMinor } from "../money.ts";
import type { Posting } from "../posting.ts";
import { type Decision, reject } from "../rejection.ts";

/** An entry of the account that was mirrored, as its mirror has it. */
export interface LostEntry {
  readonly version: number;
  readonly amount: Minor;
  readonly balanceAfter: Minor;
}

export interface TransitAdoption {
  /** Id of the account that was mirrored. */
  readonly account: string;
  readonly currency: string;
  /** The cell that has mirrored it. */
  readonly to: number;
  /** In the order of their versions, one behind the other. */
  readonly entries: readonly LostEntry[];
  readonly actId: string;
}

export interface AdoptingAccounts {
  readonly out: Account | undefined;
  readonly restored: Account | undefined;
  /** Id of the account of restored funds, should it have to be opened. */
  readonly restoredId: string;
}

export interface TransitAdoptionEffect {
  readonly postings: readonly Posting[];
  readonly newAccounts: readonly Account[];
  readonly act: Act;
}

/** All or none of them. "nothing": they are there. */
export function decideTransitAdoption(
  { account, currency, to, entries, actId }: TransitAdoption,
  { out, restored, restoredId }: AdoptingAccounts,
): Decision<TransitAdoptionEffect> {
  const own = out ?? newInternalAccount(account, "transit", currency, "out", to);
  const from = restored ?? newInternalAccount(restoredId, "restored", currency);
  if (own.id !== account) return reject("mirrorDiffers", "account");
  const last = entries.at(-1);
  if (!last || last.version <= own.version) return { kind: "nothing" };
  let { version, balance }: { version: number; balance: bigint } = own;
  for (const entry of entries) {
    if (entry.version !== version + 1) return reject("mirrorGap");
    if (entry.amount <= 0n || entry.balanceAfter !== balance + entry.amount) return reject("mirrorDiffers", "balance");
    ({ version, balanceAfter: balance } = entry);
  }
  if (from.balance - (balance - own.balance) < -maxMinor) return reject("overTransactionLimit", from.accountNo);
  const postings = entries.map(({ amount }): Posting => ({ kind: "adoption", from: from.id, to: own.id, amount }));
  const newAccounts = [...(out ? [] : [own]), ...(restored ? [] : [from])];
  return { kind: "effect", effect: { postings, newAccounts, act: { id: actId } } };
}
