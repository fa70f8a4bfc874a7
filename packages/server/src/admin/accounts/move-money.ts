/** Moves money by an operator's act: puts it on an account, takes it off one, corrects accounts, moves it between our own. */
import type { Account } from "../../ledger/accounts/account.ts";
import { type JournalLine, type MovePair, movePairs } from "../../ledger/accounts/act-journal.ts";
import { internalAccountNo, type InternalPurpose } from "../../ledger/accounts/internal-accounts.ts";
import { type Minor, maxMinor, minor, zero } from "../../ledger/money.ts";
import type { RailName } from "../../ledger/rails/terms.ts";
import { type AdminResult, done, rejected, rejectedByLedger } from "../result.ts";
import type { AccountDeps } from "./account-acts.ts";
import { type ByOperator, moveByAct } from "./journal-act.ts";

interface ByAmount extends ByOperator {
  /** ISO 4217: the accounts'. */
  readonly currency: string;
  /** In minor units, more than zero. */
  readonly amount: Minor;
}

/** An amount for an account of a holder, or from it. */
export interface AccountAmount extends ByAmount {
  readonly accountNo: string;
}

export interface Correction extends ByOperator {
  readonly currency: string;
  /** 2 to 10 accounts, of holders and our own, with amounts of more than zero; debits and credits add up to the same. */
  readonly entries: readonly {
    readonly accountNo: string;
    readonly direction: "debit" | "credit";
    readonly amount: Minor;
  }[];
}

export interface Move extends ByAmount {
  readonly pair: MovePair;
  /** Rail of the pairs of clearing and fees. */
  readonly rail?: RailName | undefined;
}

/** Puts money on an account, from the funding account of its currency. */
export function fundAccount(deps: AccountDeps, funding: AccountAmount): Promise<AdminResult<Account>> {
  return moveOfAccount(deps, "funding", funding);
}

/** Takes money off an account, back to the funding account of its currency. */
export function withdrawFromAccount(deps: AccountDeps, withdrawal: AccountAmount): Promise<AdminResult<Account>> {
  return moveOfAccount(deps, "withdrawal", withdrawal);
}

async function moveOfAccount(
  deps: AccountDeps,
  kind: "funding" | "withdrawal",
  given: AccountAmount,
): Promise<AdminResult<Account>> {
  const { accountNo, currency, amount } = given;
  const fundingNo = internalAccountNo("funding", currency);
  const invalid = rejectAmount(amount);
  if (invalid) return invalid;
  if (accountNo === fundingNo) return rejectedByLedger("unknownAccount", "accountNo");
  const lines = kind === "funding" ? linesOf(fundingNo, accountNo, amount) : linesOf(accountNo, fundingNo, amount);
  const result = await moveByAct(deps, { kind, currency, lines }, { ...given, target: accountNo });
  return result.ok ? done(result.value.find((account) => account.accountNo === accountNo) as Account) : result;
}

/** Debits and credits accounts by one journal; answers with them. */
export async function correctAccounts(
  deps: AccountDeps,
  correction: Correction,
): Promise<AdminResult<readonly Account[]>> {
  const { currency, entries } = correction;
  const lines = entries.map(({ accountNo, direction, amount }) => ({
    accountNo,
    amount: direction === "debit" ? minor(-amount) : amount,
  }));
  const target = entries.map(({ accountNo }) => accountNo).toSorted()[0] ?? "";
  return moveByAct(deps, { kind: "correction", currency, lines }, { ...correction, target });
}

/** Moves money between two of our own accounts; answers with them. */
export async function moveLedger(deps: AccountDeps, move: Move): Promise<AdminResult<readonly Account[]>> {
  const { pair, rail, currency, amount } = move;
  const isOfRail = movePairs[pair].some((purpose) => purpose === "clearing" || purpose === "fee");
  if (isOfRail !== (rail !== undefined))
    return rejected(
      "invalidField",
      `The accounts of this pair are of ${isOfRail ? "a rail: name it" : "no rail"}.`,
      "rail",
    );
  const invalid = rejectAmount(amount);
  if (invalid) return invalid;
  const fundingNo = internalAccountNo("funding", currency);
  const [from, to] = movePairs[pair].map((purpose) =>
    purpose === "funding" ? fundingNo : internalAccountNo(...nameOf(purpose, currency, rail)),
  ) as [string, string];
  const target = from === fundingNo ? to : from;
  return moveByAct(deps, { kind: "move", currency, lines: linesOf(from, to, amount) }, { ...move, target });
}

function nameOf(
  purpose: Exclude<InternalPurpose, "suspense" | "transit" | "merchant">,
  currency: string,
  rail: RailName | undefined,
) {
  return rail === undefined ? ([purpose, currency] as const) : ([purpose, currency, rail] as const);
}

function rejectAmount(amount: Minor): AdminResult<never> | undefined {
  if (amount > zero && amount <= maxMinor) return undefined;
  return rejected("invalidField", "An amount is more than zero, and fits the ledger.", "amount");
}

const linesOf = (from: string, to: string, amount: Minor): readonly JournalLine[] => [
  { accountNo: from, amount: minor(-amount) },
  { accountNo: to, amount },
];
