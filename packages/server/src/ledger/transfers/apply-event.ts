/** Applies a rail's response or an operator's resolution to a transfer (spec D9, D11). */
import { type Account, type DailyUse, useWithout } from "../accounts/account.ts";
import { minor } from "../money.ts";
import type { Posting } from "../posting.ts";
import { internalAccountNo, newInternalAccount } from "../accounts/internal-accounts.ts";
import { type RailTransfer, rejectableFrom, type ResultSource } from "./transfer.ts";
import type { CallRejectionKind, Decision } from "../rejection.ts";
import { afterEvent, type TransferEvent } from "./states.ts";
import { destinationOf, type InternalAccounts } from "../accounts/unapplied-funds.ts";

export interface TransferRailEvent {
  readonly event: TransferEvent;
  readonly traceNo?: string | undefined;
  /** Reason of a `reject`. */
  readonly rejection?: CallRejectionKind | undefined;
  /** True: it is the first response to a caller that still waits. */
  readonly isResolvedSynchronously?: boolean;
  readonly by: ResultSource;
  /** Applies only while no reconciliation has claimed the transfer: that may have submitted it meanwhile. */
  readonly onlyIfNotClaimed?: boolean;
  /** Applies only at this version: a later change may have submitted it. */
  readonly onlyAtVersion?: number;
  /** Applies only in this state: an operator who decided on it has seen no other. */
  readonly onlyInState?: RailTransfer["state"];
  /** Business time (epoch ms). */
  readonly now: number;
  /** Id of the command, and of its journal. */
  readonly journal: string;
}

/** Accounts an event moves money between; those of the rail are opened with the given ids when first used. */
export interface TransferAccounts {
  readonly source: Account | undefined;
  /** Suspense account of the transfer's part. */
  readonly suspense: Account | undefined;
  readonly clearing: Account | undefined;
  readonly fee: Account | undefined;
  readonly newIds: { readonly clearing: string; readonly fee: string };
}

export interface EndEffect {
  readonly transfers: readonly RailTransfer[];
  readonly postings: readonly Posting[];
  readonly newAccounts: readonly Account[];
  readonly dailyUses: readonly { readonly account: string; readonly use: DailyUse }[];
}

/**
 * "nothing" when the event is not allowed in the state: the first final result stands. Also when an operator rejects a
 * transfer whose instruction may still reach the rail.
 */
export function applyRailEvent(
  transfer: RailTransfer | undefined,
  railEvent: TransferRailEvent,
  accounts: TransferAccounts,
  own: InternalAccounts,
): Decision<EndEffect> {
  const state = transfer && afterEvent(transfer.state, railEvent.event);
  if (!transfer || state === undefined) return { kind: "nothing" };
  if (railEvent.onlyIfNotClaimed === true && transfer.inquiryCount > 0) return { kind: "nothing" };
  if (railEvent.onlyAtVersion !== undefined && transfer.version !== railEvent.onlyAtVersion) return { kind: "nothing" };
  if (railEvent.onlyInState !== undefined && transfer.state !== railEvent.onlyInState) return { kind: "nothing" };
  const { event, by, now } = railEvent;
  if (event === "reject" && by === "operator" && now < rejectableFrom(transfer)) return { kind: "nothing" };
  const traceNo = railEvent.traceNo ?? transfer.traceNo;
  const next: RailTransfer = { ...transfer, state, ...(traceNo !== undefined && { traceNo }) };
  switch (event) {
    case "submit":
      return {
        kind: "effect",
        effect: { transfers: [{ ...next, submittedAt: now }], postings: [], newAccounts: [], dailyUses: [] },
      };
    case "acknowledge":
      return {
        kind: "effect",
        effect: { transfers: [{ ...next, submittedAt: 0 }], postings: [], newAccounts: [], dailyUses: [] },
      };
    case "withdraw":
      return { kind: "effect", effect: { transfers: [next], postings: [], newAccounts: [], dailyUses: [] } };
    case "settle":
      return { kind: "effect", effect: settle([endOf(next, railEvent)], accounts) };
    case "reject":
      return { kind: "effect", effect: reversal(endOf(next, railEvent), accounts, own) };
    case "return":
      return {
        kind: "effect",
        effect: returnFunds({ ...next, returnedBy: railEvent.by, returnJournalId: railEvent.journal }, accounts, own),
      };
  }
}

/** Result of a transfer that its rail settled. */
export type SettlementResult = Pick<TransferRailEvent, "traceNo" | "isResolvedSynchronously">;

/**
 * Settles transfers of one part of a rail's suspense account by one journal. Those that cannot settle in their state are left
 * as they are; "nothing" when that is each of them.
 */
export function settleTogether(
  results: readonly { readonly transfer: RailTransfer; readonly result: SettlementResult }[],
  { now, journal }: Pick<TransferRailEvent, "now" | "journal">,
  accounts: TransferAccounts,
): Decision<EndEffect> {
  const ended = results.flatMap(({ transfer, result }) => {
    const state = afterEvent(transfer.state, "settle");
    if (state === undefined) return [];
    const traceNo = result.traceNo ?? transfer.traceNo;
    const next = { ...transfer, state, ...(traceNo !== undefined && { traceNo }) };
    return [endOf(next, { ...result, event: "settle", by: "rail", now, journal })];
  });
  return ended.length === 0 ? { kind: "nothing" } : { kind: "effect", effect: settle(ended, accounts) };
}

function endOf(transfer: RailTransfer, { isResolvedSynchronously, by, journal, rejection }: TransferRailEvent) {
  return {
    ...transfer,
    isResolvedSynchronously: isResolvedSynchronously === true,
    resolvedBy: by,
    resolutionJournalId: journal,
    ...(rejection !== undefined && { rejection }),
  };
}

/** One posting of each kind, of the sum of all. At least one, all of one part. */
function settle(transfers: readonly RailTransfer[], { suspense, clearing, fee, newIds }: TransferAccounts): EndEffect {
  const [{ currency, rail }] = transfers as readonly [RailTransfer];
  const [from] = transfers.map((transfer) => ofItsPart(suspense, transfer)) as [Account];
  const to = clearing ?? newInternalAccount(newIds.clearing, "clearing", currency, rail);
  const income = fee ?? newInternalAccount(newIds.fee, "fee", currency, rail);
  const sent = minor(transfers.reduce((sum, transfer) => sum + transfer.sentAmount, 0n));
  const fees = minor(transfers.reduce((sum, transfer) => sum + transfer.fee, 0n));
  const postings: Posting[] = [{ kind: "settlement", from: from.id, to: to.id, amount: sent }];
  if (fees > 0n) postings.push({ kind: "fee", from: from.id, to: income.id, amount: fees });
  const newAccounts = [...(clearing ? [] : [to]), ...(fee || fees === 0n ? [] : [income])];
  return { transfers, postings, newAccounts, dailyUses: [] };
}

/** Amount and fee return to the payer, and no longer count towards its daily limit. */
function reversal(transfer: RailTransfer, { suspense, source }: TransferAccounts, own: InternalAccounts): EndEffect {
  const payer = required(source, transfer);
  const amount = minor(transfer.sentAmount + transfer.fee);
  const { account: to, newAccounts } = destinationOf(payer, amount, own);
  return {
    transfers: [transfer],
    postings: [{ kind: "reversal", from: ofItsPart(suspense, transfer).id, to: to.id, amount }],
    newAccounts,
    dailyUses: [{ account: payer.id, use: useWithout(payer, transfer.businessDate, transfer.dailyLimitAmount) }],
  };
}

/** The sent amount returns; the fee stays. */
function returnFunds(transfer: RailTransfer, { clearing, source }: TransferAccounts, own: InternalAccounts): EndEffect {
  const amount = transfer.sentAmount;
  const { account: to, newAccounts } = destinationOf(required(source, transfer), amount, own);
  const from = required(clearing, transfer).id;
  return { transfers: [transfer], postings: [{ kind: "return", from, to: to.id, amount }], newAccounts, dailyUses: [] };
}

/** @throws when it is the account of another part. */
function ofItsPart(suspense: Account | undefined, transfer: RailTransfer): Account {
  const account = required(suspense, transfer);
  const accountNo = internalAccountNo("suspense", transfer.currency, transfer.rail, transfer.suspensePart);
  if (account.accountNo === accountNo) return account;
  throw new Error(`the money of transfer ${transfer.id} is on ${accountNo}, not on ${account.accountNo}`);
}

function required(account: Account | undefined, { id }: RailTransfer): Account {
  if (!account) throw new Error(`an account of transfer ${id} is not there`);
  return account;
}
