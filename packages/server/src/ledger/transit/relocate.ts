/**
 * Sends what is on an account that has moved on to the cell that it is in (docs/adr/0098-account-moves.md): first all that was on it, later each
 * credit of before the move, such as a refund. It is a payment across cells without a request; its journal names the account.
 */
import type { Account } from "../accounts/account.ts";
import { type Minor, maxMinor, minor } from "../money.ts";
import type { Posting } from "../posting.ts";
import type { Decision } from "../rejection.ts";
import { isBehindMirror, type MirrorPosition, openOut, type OutAccount } from "./transit-account.ts";

export interface RelocationOrder {
  /** The cell that it is in. */
  readonly to: number;
  /** As that cell has it; read before anything is locked here. */
  readonly mirror: MirrorPosition | undefined;
}

export interface RelocationEffect {
  readonly amount: Minor;
  readonly postings: readonly Posting[];
  readonly newAccounts: readonly Account[];
  /** Version of the transit account's entry. */
  readonly transitVersion: number;
}

/** "nothing": it is not away, there is no money on it, or this cell has lost payments that were mirrored. */
export function decideRelocation(
  { to, mirror }: RelocationOrder,
  account: Account | undefined,
  out: OutAccount,
): Decision<RelocationEffect> {
  if (account?.status !== "moved" || isBehindMirror(out.found, mirror)) return { kind: "nothing" };
  const transit = openOut(out, to, account.currency);
  const room = maxMinor - transit.balance;
  const amount = minor(account.balance < room ? account.balance : room);
  if (amount <= 0n) return { kind: "nothing" };
  const effect = {
    amount,
    postings: [{ kind: "relocation", from: account.id, to: transit.id, amount } as const],
    newAccounts: out.found ? [] : [transit],
    transitVersion: transit.version + 1,
  };
  return { kind: "effect", effect };
}
