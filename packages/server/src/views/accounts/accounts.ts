/** Accounts and their entries. */
import { toReferenceNo } from "../../basics/ids.ts";
import type { Account } from "../../ledger/accounts/account.ts";
import { type AccountPage, findAccountByNumber, listAccounts as readAccounts } from "../../store/reads/accounts.ts";
import { listEntries as readEntries } from "./entries.ts";
import { kindNameOf } from "./postings.ts";
import type { QueryDeps } from "../query-deps.ts";

export interface AccountSummary {
  readonly accountNo: string;
  /** Of its holder; the number of an internal account. */
  readonly name: string;
  /** ISO 4217. */
  readonly currency: string;
  /** D current account, S savings. */
  readonly type: Account["type"];
  readonly status: Account["status"];
  /** Credits minus debits, in minor units. */
  readonly ledgerBalance: bigint;
  /** Ledger balance minus holds, in minor units. */
  readonly availableBalance: bigint;
}

export interface EntryList {
  /** Of the account and its entries. */
  readonly currency: string;
  /** Newest first. */
  readonly entries: readonly EntrySummary[];
  /** Version before which the next page starts; undefined on the last page. */
  readonly next: number | undefined;
  /** What is missing among them and below: it is in detached partitions. */
  readonly gaps: readonly VersionGap[];
}

/** Versions from the first to the last. */
export interface VersionGap {
  readonly first: number;
  readonly last: number;
}

export interface EntrySummary {
  /** Position in the account, numbered from 1. */
  readonly version: number;
  /** Business time (epoch ms). */
  readonly at: number;
  /** Of the posting, such as `transfer` or `capture`. */
  readonly kind: string;
  /** Minor units: negative for a debit. */
  readonly amount: bigint;
  /** Ledger balance after the entry, in minor units. */
  readonly balanceAfter: bigint;
  /** Of its journal. */
  readonly referenceNo: string;
}

export function summarizeAccount(account: Account): AccountSummary {
  const { accountNo, name, currency, type, status, balance, held } = account;
  return { accountNo, name, currency, type, status, ledgerBalance: balance, availableBalance: balance - held };
}

/** A customer or internal account; undefined when there is none of this number. */
export async function findAccount(
  { pool }: Pick<QueryDeps, "pool">,
  accountNo: string,
): Promise<AccountSummary | undefined> {
  const account = await findAccountByNumber(pool, accountNo);
  return account && summarizeAccount(account);
}

/** A page of customer accounts, sorted by number. */
export async function listAccounts(
  { pool }: Pick<QueryDeps, "pool">,
  page: AccountPage,
): Promise<readonly AccountSummary[]> {
  return (await readAccounts(pool, page)).map(summarizeAccount);
}

/** A page of the entries of a customer or internal account; undefined when there is none of this number. */
export async function listEntries(
  { pool }: Pick<QueryDeps, "pool">,
  accountNo: string,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<EntryList | undefined> {
  const account = await findAccountByNumber(pool, accountNo);
  if (!account) return undefined;
  const from = Math.min(before ?? Infinity, account.version + 1);
  const rows = await readEntries(pool, account.id, { before: from, limit });
  const isLast = rows.length < limit;
  const last = rows.at(-1)?.version ?? 1;
  const entries = rows.map(({ version, at, kind, amount, balanceAfter, journalId }) => ({
    version,
    at,
    kind: kindNameOf(kind),
    amount,
    balanceAfter,
    referenceNo: toReferenceNo(journalId),
  }));
  const gaps = gapsOf([from, ...rows.map(({ version }) => version), ...(isLast ? [0] : [])]);
  return { currency: account.currency, entries, next: isLast || last <= 1 ? undefined : last, gaps };
}

/** Between versions, newest first, of an account that has every version from 1. */
function gapsOf(versions: readonly number[]): readonly VersionGap[] {
  return versions.slice(1).flatMap((version, position) => {
    const gap = { first: version + 1, last: (versions[position] ?? 0) - 1 };
    return gap.last >= gap.first ? [gap] : [];
  });
}
