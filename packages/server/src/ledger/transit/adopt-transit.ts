/**
 * Writes payments to another cell back that this one has lost by a restore: the other has credited them. Who paid is not known there, so
 * restored funds pay, and operators find the payers with the partners (docs/adr/0094-mirrored-transit.md). Money of an account that has
 * moved is on it again: it pays, since it would be sent a second time.
 */
import type { Act } from "../act.ts";
import { type Account, spendable } from "../accounts/account.ts";
import { newInternalAccount } from "../accounts/internal-accounts.ts";
import { type Minor, maxMinor } from "../money.ts";
import type { Posting } from "../posting.ts";
import { type Decision, reject } from "../rejection.ts";

/** An entry of the account that was mirrored, as its mirror has it. */
export interface LostEntry {
  readonly version: number;
  readonly amount: Minor;
  readonly balanceAfter: Minor;
  /** Number of the account whose money it was when it had moved; undefined: it was a payment, or a merchant's. */
  readonly movedNo?: string | undefined;
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
  /** The account of a `movedNo`, as it is here. */
  moved(accountNo: string): Account | undefined;
}

export interface TransitAdoptionEffect {
  readonly postings: readonly Posting[];
  readonly newAccounts: readonly Account[];
  readonly act: Act;
}

/** All or none of them. "nothing": they are there. */
export function decideTransitAdoption(
  { account, currency, to, entries, actId }: TransitAdoption,
  { out, restored, restoredId, moved }: AdoptingAccounts,
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
  const payerOf = createPayers(currency, moved);
  const postings = entries.map((entry): Posting => {
    return { kind: "adoption", from: payerOf(entry) ?? from.id, to: own.id, amount: entry.amount };
  });
  const ofRestored = postings.filter((posting) => posting.from === from.id);
  const owed = ofRestored.reduce((sum, { amount }) => sum + amount, 0n);
  if (from.balance - owed < -maxMinor) return reject("overTransactionLimit", from.accountNo);
  const newAccounts = [...(out ? [] : [own]), ...(restored || ofRestored.length === 0 ? [] : [from])];
  return { kind: "effect", effect: { postings, newAccounts, act: { id: actId } } };
}

/** Ids of accounts that have moved, and have again as much as left them; one that is named several times pays as far as it can. */
function createPayers(currency: string, moved: AdoptingAccounts["moved"]) {
  const spent = new Map<string, bigint>();
  return ({ movedNo, amount }: LostEntry): string | undefined => {
    const account = movedNo === undefined ? undefined : moved(movedNo);
    if (account?.purpose !== "customer" || account.currency !== currency) return undefined;
    const before = spent.get(account.id) ?? 0n;
    if ((spendable(account) ?? 0n) - before < amount) return undefined;
    spent.set(account.id, before + amount);
    return account.id;
  };
}
