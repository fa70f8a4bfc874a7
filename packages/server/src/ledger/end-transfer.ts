/** What a rail's word, or an operator's, does to a transfer that was accepted (decisions D9, D11). */
import { type Account, type DailyUse, useWithout } from "./account.ts";
import { minor } from "./money.ts";
import type { Movement } from "./movement.ts";
import { newOwnAccount } from "./own-accounts.ts";
import { type RailTransfer, refusableFrom, type TransferWord } from "./rail-transfer.ts";
import type { CallRefusalKind, Decision } from "./refusal.ts";
import { afterEvent, type TransferEvent } from "./transfer-states.ts";
import { destinationOf, type OwnAccounts } from "./unclaimed.ts";

/** What has become of a transfer. */
export interface TransferNews {
  readonly event: TransferEvent;
  readonly traceNo?: string | undefined;
  /** Of `refuse`: why. */
  readonly refusal?: CallRefusalKind | undefined;
  /** Whether the caller still waits in the call and is told this as its first answer. */
  readonly isResolvedSynchronously?: boolean;
  readonly by: TransferWord;
  /** Whether it is so only while nobody else has taken the transfer on: who did may have handed it over meanwhile. */
  readonly onlyUntouched?: boolean;
  /** The version at which it is so: whoever changed the transfer since may have handed it over. */
  readonly onlyAt?: number;
  /** Business time (epoch ms). */
  readonly now: number;
  /** Id of the command, under which its journal stands. */
  readonly journal: string;
}

/** The accounts an event moves money between; those of the rail are opened with the given ids when first needed. */
export interface TransferAccounts {
  readonly source: Account | undefined;
  readonly suspense: Account | undefined;
  readonly clearing: Account | undefined;
  readonly fee: Account | undefined;
  readonly newIds: { readonly clearing: string; readonly fee: string };
}

export interface EndEffect {
  readonly transfers: readonly RailTransfer[];
  readonly movements: readonly Movement[];
  readonly opens: readonly Account[];
  readonly uses: readonly { readonly account: string; readonly use: DailyUse }[];
}

/**
 * Nothing, when it is there already or the event changes nothing any more: the first word stands. Nothing also, when an
 * operator refuses what may still reach the rail.
 */
export function decideTransferNews(
  transfer: RailTransfer | undefined,
  news: TransferNews,
  accounts: TransferAccounts,
  own: OwnAccounts,
): Decision<EndEffect> {
  const state = transfer && afterEvent(transfer.state, news.event);
  if (!transfer || state === undefined) return { kind: "nothing" };
  if (news.onlyUntouched === true && transfer.attempts > 0) return { kind: "nothing" };
  if (news.onlyAt !== undefined && transfer.version !== news.onlyAt) return { kind: "nothing" };
  const { event, by, now } = news;
  if (event === "refuse" && by === "operator" && now < refusableFrom(transfer)) return { kind: "nothing" };
  const traceNo = news.traceNo ?? transfer.traceNo;
  const next: RailTransfer = { ...transfer, state, ...(traceNo !== undefined && { traceNo }) };
  const ended: RailTransfer = {
    ...next,
    isResolvedSynchronously: news.isResolvedSynchronously === true,
    endedBy: news.by,
    endJournal: news.journal,
    ...(news.refusal !== undefined && { refusal: news.refusal }),
  };
  switch (event) {
    case "send":
      return {
        kind: "effect",
        effect: { transfers: [{ ...next, submittedAt: now }], movements: [], opens: [], uses: [] },
      };
    case "acknowledge":
      return {
        kind: "effect",
        effect: { transfers: [{ ...next, submittedAt: 0 }], movements: [], opens: [], uses: [] },
      };
    case "notSent":
      return { kind: "effect", effect: { transfers: [next], movements: [], opens: [], uses: [] } };
    case "settle":
      return { kind: "effect", effect: settle(ended, accounts) };
    case "refuse":
      return { kind: "effect", effect: giveBack(ended, accounts, own) };
    case "return":
      return {
        kind: "effect",
        effect: comeBack({ ...next, returnedBy: news.by, returnJournal: news.journal }, accounts, own),
      };
  }
}

function settle(transfer: RailTransfer, { suspense, clearing, fee, newIds }: TransferAccounts): EndEffect {
  const { currency, rail } = transfer;
  const from = required(suspense, transfer);
  const to = clearing ?? newOwnAccount(newIds.clearing, "clearing", currency, rail);
  const income = fee ?? newOwnAccount(newIds.fee, "fee", currency, rail);
  const takesFee = transfer.fee > 0n;
  const movements: Movement[] = [{ kind: "settlement", from: from.id, to: to.id, amount: transfer.travels }];
  if (takesFee) movements.push({ kind: "fee", from: from.id, to: income.id, amount: transfer.fee });
  const opens = [...(clearing ? [] : [to]), ...(fee || !takesFee ? [] : [income])];
  return { transfers: [transfer], movements, opens, uses: [] };
}

/** Amount and fee return, and no longer count against the payer's day. */
function giveBack(transfer: RailTransfer, { suspense, source }: TransferAccounts, own: OwnAccounts): EndEffect {
  const payer = required(source, transfer);
  const amount = minor(transfer.travels + transfer.fee);
  const { account: to, opens } = destinationOf(payer, amount, own);
  return {
    transfers: [transfer],
    movements: [{ kind: "reversal", from: required(suspense, transfer).id, to: to.id, amount }],
    opens,
    uses: [{ account: payer.id, use: useWithout(payer, transfer.day, transfer.counted) }],
  };
}

/** What travelled returns; the fee stays. */
function comeBack(transfer: RailTransfer, { clearing, source }: TransferAccounts, own: OwnAccounts): EndEffect {
  const amount = transfer.travels;
  const { account: to, opens } = destinationOf(required(source, transfer), amount, own);
  const from = required(clearing, transfer).id;
  return { transfers: [transfer], movements: [{ kind: "return", from, to: to.id, amount }], opens, uses: [] };
}

function required(account: Account | undefined, { id }: RailTransfer): Account {
  if (!account) throw new Error(`an account of transfer ${id} is not there`);
  return account;
}
