/** The journal of an operator's act: proposed with its entries, and carried out once, with these or not at all. */
import { currencyScale } from "@titian/contract";
import { newId } from "../../basics/ids.ts";
import { type Account, spendable } from "../../ledger/accounts/account.ts";
import {
  type ActJournal,
  type ActJournalKind,
  type ActJournalOrder,
  decideActJournal,
  faultOf,
  type JournalLine,
  pairLines,
} from "../../ledger/accounts/act-journal.ts";
import { formatMinor } from "../../ledger/money.ts";
import type { Rejection } from "../../ledger/rejection.ts";
import { findAccountByNumber } from "../../store/reads/accounts.ts";
import { type ApprovedAct, describeEntries, linesOfEntries, readActEntries } from "../../store/tables/acts.ts";
import { type AdminRejection, type AdminResult, done, rejected, rejectedByLedger } from "../result.ts";
import { submitAdmin } from "../submit.ts";
import { type AccountDeps, actIdOf, carryOutAct, ledgerOf } from "./account-acts.ts";

/** Words of the operator, with an act. */
export interface ByOperator {
  /** 1 to 64 visible ASCII characters; the same one again repeats the act. */
  readonly reference: string;
  /** Absent: only where nobody is in charge. */
  readonly reason?: string | undefined;
  /** Number of the case that it belongs to, elsewhere. */
  readonly ticket?: string | undefined;
}

interface Proposer extends ByOperator {
  /** Account that the act is about. */
  readonly target: string;
}

/**
 * Moves money once for each kind and reference, of which the act's id is made: so it may be repeated after any failure, at once and
 * later. Answers with the accounts.
 */
export async function moveByAct(
  deps: AccountDeps,
  journal: ActJournal,
  { target, reference, reason, ticket }: Proposer,
): Promise<AdminResult<readonly Account[]>> {
  const { kind, currency, lines } = journal;
  if (!/^[\x21-\x7e]{1,64}$/.test(reference))
    return rejected("invalidField", "A reference has 1 to 64 visible ASCII characters.", "reference");
  const fault = faultOf(journal);
  if (fault !== undefined) return rejected("invalidField", `Nothing was proposed: in a ${kind} ${fault}.`, "entries");
  const order = { ...journal, actId: actIdOf(`${kind} ${reference}`), fundingId: newId() };
  const entries = describeJournal(journal);
  const accounts = await readAccounts(deps, journal);
  const find = (accountNo: string) => accounts.find((account) => account.accountNo === accountNo);
  // Found before anything is proposed; the engine decides.
  const early = decideActJournal(order, find, earlierOf(await readActEntries(deps.reads, order.actId), entries));
  if (early.kind === "rejection") return rejectedJournal(journal, early.rejection, find(early.rejection.field ?? ""));
  if (early.kind === "nothing") return done(accounts);
  const balances = Object.fromEntries(accounts.map(({ accountNo, balance }) => [accountNo, String(balance)]));
  const after = { amount: String(totalOf(lines)), currency, entries };
  return carryOutAct(
    deps,
    { id: order.actId, kind, target, reference, before: { balances }, after, reason, ticket },
    { carryOut: () => carryOutJournal(deps, order), read: () => readAccounts(deps, journal) },
  );
}

/** Decides again, on the accounts as they are behind their locks. */
export async function carryOutJournal(
  deps: AccountDeps,
  order: ActJournalOrder,
): Promise<AdminResult<readonly Account[]>> {
  const entries = describeJournal(order);
  let inTheWay: Account | undefined;
  const result = await submitAdmin(ledgerOf(deps), {
    locks: { accountNumbers: order.lines.map(({ accountNo }) => accountNo), actId: order.actId },
    decide: (found) => {
      const seen = new Map<string, Account | undefined>();
      const find = (accountNo: string) => {
        const account = found.account(accountNo);
        seen.set(accountNo, account);
        return account;
      };
      const decision = decideActJournal(order, find, earlierOf(found.act(), entries));
      inTheWay = decision.kind === "rejection" ? seen.get(decision.rejection.field ?? "") : undefined;
      return decision;
    },
    rejected: (rejection) => rejectedJournal(order, rejection, inTheWay),
  });
  return result.ok ? done(await readAccounts(deps, order)) : result;
}

/** The order of an approved act. @throws RangeError where it is none, or says otherwise than its entries */
export function readJournal(act: ApprovedAct & { readonly kind: ActJournalKind }): ActJournalOrder {
  const { entries, amount } = act.after as { readonly entries: unknown; readonly amount: unknown };
  const journal = { kind: act.kind, ...linesOfEntries(String(entries)) };
  const { lines } = journal;
  if (
    faultOf(journal) !== undefined ||
    describeJournal(journal) !== entries ||
    String(totalOf(lines)) !== amount ||
    !lines.some(({ accountNo }) => accountNo === act.target)
  )
    throw new RangeError(`the act ${act.id} says otherwise than its entries`);
  return { ...journal, actId: act.id, fundingId: newId() };
}

function describeJournal({ currency, lines }: Pick<ActJournal, "currency" | "lines">): string {
  return describeEntries(
    pairLines(lines).flatMap(({ from, to, amount }) => [
      { accountNo: from, amount: -amount, currency },
      { accountNo: to, amount, currency },
    ]),
  );
}

const totalOf = (lines: readonly JournalLine[]) => pairLines(lines).reduce((sum, { amount }) => sum + amount, 0n);

function earlierOf(moved: string | undefined, entries: string): "same" | "other" | undefined {
  if (moved === undefined) return undefined;
  return moved === entries ? "same" : "other";
}

/** Those that exist. */
async function readAccounts({ reads }: AccountDeps, { lines }: ActJournal): Promise<readonly Account[]> {
  const accounts = await Promise.all(lines.map(({ accountNo }) => findAccountByNumber(reads, accountNo)));
  return accounts.filter((account) => account !== undefined);
}

/** `account`: the one that is in the way, as the decision found it. */
function rejectedJournal(
  { kind, currency, lines }: ActJournal,
  rejection: Rejection,
  account: Account | undefined,
): AdminResult<never> {
  const { kind: why, field: accountNo = "" } = rejection;
  const amount = lines.find((line) => line.accountNo === accountNo)?.amount ?? 0n;
  const isShort = why === "insufficientFunds" && account !== undefined;
  const told = isShort
    ? rejected("overAvailable", describeShortage(kind, currency, { account, amount }))
    : rejectedByLedger(why, undefined);
  if (told.ok) return told;
  const isOfOne = kind === "funding" || kind === "withdrawal" || why === "referenceUsed";
  const message = isOfOne ? told.rejection.message : `Account ${accountNo}: ${told.rejection.message}`;
  return rejected(told.rejection.kind, message, fieldOf(kind, why));
}

function describeShortage(
  kind: ActJournalKind,
  currency: string,
  { account, amount }: { readonly account: Account; readonly amount: bigint },
): string {
  const money = (value: bigint) => `${currency} ${formatMinor(value, currencyScale(currency) ?? 0)}`;
  return kind === "move"
    ? `${money(account.balance)} is on it now. A move of ${money(amount < 0n ? -amount : amount)} would bring it beyond zero, or further away.`
    : `It has ${money(spendable(account) ?? account.balance)} available now, which is less than ${money(-amount)}.`;
}

/** Input field that a rejection is about. */
function fieldOf(kind: ActJournalKind, why: Rejection["kind"]): NonNullable<AdminRejection["field"]> {
  if (why === "referenceUsed") return "reference";
  if (kind === "correction") return "entries";
  if (why === "currencyMismatch") return "currency";
  if (why === "overTransactionLimit" || why === "insufficientFunds") return "amount";
  return kind === "move" ? "pair" : "accountNo";
}
