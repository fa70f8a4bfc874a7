/**
 * Journals of operators' acts between accounts of one currency: funding, withdrawal, correction, move. Each moves once for each
 * act; what it may do to an account is decided on the account as it is then.
 */
import { type Account, isElsewhere } from "./account.ts";
import type { Act } from "../act.ts";
import { rejectFunds, rejectState } from "./debit.ts";
import { type InternalPurpose, internalAccountNo, newInternalAccount } from "./internal-accounts.ts";
import { type Minor, maxMinor, minor, zero } from "../money.ts";
import type { Posting } from "../posting.ts";
import { type Decision, type Rejected, reject } from "../rejection.ts";

export const actJournalKinds = ["funding", "withdrawal", "correction", "move"] as const;
export type ActJournalKind = (typeof actJournalKinds)[number];

/** An amount for an account: below zero it is debited. */
export interface JournalLine {
  readonly accountNo: string;
  readonly amount: Minor;
}

export interface ActJournal {
  readonly kind: ActJournalKind;
  readonly currency: string;
  /** One for each account, which add up to zero. */
  readonly lines: readonly JournalLine[];
}

export interface ActJournalOrder extends ActJournal {
  /** Id of the act, made of the operator's reference: a second order with the same id is the same order again. */
  readonly actId: string;
  /** Id of the currency's funding account, should it have to be opened too. */
  readonly fundingId: string;
}

export interface ActJournalEffect {
  readonly newAccounts: readonly Account[];
  readonly postings: readonly Posting[];
  readonly act: Act;
}

/** Debit and credit of one posting, by account numbers. */
export interface LinePair {
  readonly from: string;
  readonly to: string;
  readonly amount: Minor;
}

/** Accounts of a correction. */
const correctionLinesMax = 10;

type MovedPurpose = Exclude<InternalPurpose, "transit" | "merchant">;

/** Moves between accounts of our own: from the first to the second. */
export const movePairs = {
  unapplied: ["unclaimed", "funding"],
  clearing: ["clearing", "funding"],
  "clearing-back": ["funding", "clearing"],
  fee: ["fee", "funding"],
  restored: ["funding", "restored"],
  "restored-back": ["restored", "funding"],
} as const satisfies Readonly<Record<string, readonly [MovedPurpose, MovedPurpose]>>;
export type MovePair = keyof typeof movePairs;

/** `rejection.field` is the number of the account that is in the way, where it is one. */
export function decideActJournal(
  order: ActJournalOrder,
  find: (accountNo: string) => Account | undefined,
  earlier: "same" | "other" | undefined,
): Decision<ActJournalEffect> {
  if (earlier === "same") return { kind: "nothing" };
  if (earlier === "other") return reject("referenceUsed", "reference");
  const { lines, kind, currency, actId } = order;
  const fundingNo = internalAccountNo("funding", currency);
  const accounts = new Map<string, Account>();
  const newAccounts: Account[] = [];
  for (const { accountNo, amount } of lines) {
    const known = find(accountNo);
    const account =
      known ?? (accountNo === fundingNo ? newInternalAccount(order.fundingId, "funding", currency) : undefined);
    if (!account) return reject("unknownAccount", accountNo);
    const rejected = rejectLine(order, account, amount);
    if (rejected) return rejected;
    accounts.set(accountNo, account);
    if (!known) newAccounts.push(account);
  }
  const idOf = (accountNo: string) => (accounts.get(accountNo) as Account).id;
  const postings = pairLines(lines).map(({ from, to, amount }) => ({ kind, from: idOf(from), to: idOf(to), amount }));
  return { kind: "effect", effect: { newAccounts, postings, act: { id: actId } } };
}

function rejectLine({ kind, currency }: ActJournal, account: Account, amount: Minor): Rejected | undefined {
  const { accountNo, purpose, balance } = account;
  if (account.currency !== currency) return reject("currencyMismatch", accountNo);
  const rejected =
    purpose === "customer" ? rejectCustomer(kind, account, amount) : rejectOwn(kind, account, balance + amount);
  if (rejected) return rejected;
  const after = balance + amount;
  // Neither an account nor the sum owed to all holders may leave the row that counts it.
  return after > maxMinor || after < -maxMinor ? reject("overTransactionLimit", accountNo) : undefined;
}

/** A customer is not debited below what is available; nor is money paid out of an account that is blocked or dormant. */
function rejectCustomer(kind: ActJournalKind, account: Account, amount: Minor): Rejected | undefined {
  const { accountNo, status } = account;
  if (kind === "move") return reject("accountNotPermitted", accountNo);
  if (status === "closed") return reject("accountClosed", accountNo);
  if (isElsewhere(account)) return reject("accountMoved", accountNo);
  if (amount > zero) return undefined;
  const rejected = kind === "withdrawal" ? rejectState(account, accountNo) : undefined;
  return rejected ?? (rejectFunds(minor(-amount), account) && reject("insufficientFunds", accountNo));
}

/** Their money is that of open transfers, of what is on its way, and of merchants. */
const closedToActs: ReadonlySet<string> = new Set(["suspense", "transit", "merchant"]);

/** A move takes what is on an account, and no more. */
function rejectOwn(
  kind: ActJournalKind,
  { accountNo, purpose, balance }: Account,
  after: bigint,
): Rejected | undefined {
  if (closedToActs.has(purpose)) return reject("accountNotPermitted", accountNo);
  if (kind !== "move" || purpose === "funding") return undefined;
  const isNearerZero = balance > zero ? after >= 0n && after < balance : after <= 0n && after > balance;
  return isNearerZero ? undefined : reject("insufficientFunds", accountNo);
}

/** The lines as postings, in one way whatever their order. */
export function pairLines(lines: readonly JournalLine[]): readonly LinePair[] {
  const open = lines.toSorted((one, other) => (one.accountNo < other.accountNo ? -1 : 1)).map((line) => ({ ...line }));
  const credits = open.filter(({ amount }) => amount > zero);
  const pairs: LinePair[] = [];
  for (const debit of open.filter(({ amount }) => amount < zero)) {
    for (const credit of credits) {
      const amount = minor(credit.amount < -debit.amount ? credit.amount : -debit.amount);
      if (amount === zero) continue;
      pairs.push({ from: debit.accountNo, to: credit.accountNo, amount });
      debit.amount = minor(debit.amount + amount);
      credit.amount = minor(credit.amount - amount);
    }
  }
  return pairs;
}

/** A rule that these lines break as a journal of the kind, as a clause; undefined: none. */
export function faultOf({ kind, currency, lines }: ActJournal): string | undefined {
  const numbers = new Set(lines.map(({ accountNo }) => accountNo));
  if (numbers.size !== lines.length) return "each account is named once";
  if (lines.some(({ amount }) => amount === zero)) return "an amount is more than zero";
  if (lines.reduce((sum, { amount }) => sum + amount, 0n) !== 0n) return "debits and credits add up to the same";
  if (lines.length < 2 || lines.length > correctionLinesMax) return `2 to ${correctionLinesMax} accounts are named`;
  if (kind === "correction") return undefined;
  const [pair, ...more] = pairLines(lines);
  if (pair === undefined || more.length > 0) return "one account is debited and one credited";
  const { from, to } = pair;
  const fundingNo = internalAccountNo("funding", currency);
  if (kind === "funding") return from === fundingNo ? undefined : "it is debited from the funding account";
  if (kind === "withdrawal") return to === fundingNo ? undefined : "it is credited to the funding account";
  const [source, target] = [from, to].map((accountNo) => accountNo.split(":")[0]);
  const isPair = Object.values(movePairs).some((one) => one[0] === source && one[1] === target);
  return isPair ? undefined : "the accounts are a pair that money is moved between";
}
