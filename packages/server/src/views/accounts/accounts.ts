/** Accounts and their entries. */
import { currencyScale } from "@titian/contract";
import { fromReferenceNo, toReferenceNo } from "../../basics/ids.ts";
import type { Account } from "../../ledger/accounts/account.ts";
import { queryRows } from "../../store/postgres/query-rows.ts";
import { findAccountByNumber, findAccountsById, listAccounts as readAccounts } from "../../store/reads/accounts.ts";
import { type ListFilter, scanList } from "../../store/reads/scan-list.ts";
import { epochMs } from "../../store/statements/select-list.ts";
import { partnerIdOf, type QueryDeps, type Shown } from "../query-deps.ts";
import { kindNameOf } from "./postings.ts";

export type AccountSummary = Shown<typeof summarizeAccount>;
export type EntrySummary = Shown<typeof readEntries>[number];

/** `name`: of its holder; the number of an internal account. `type`: D current account, S savings. Minor units. */
export function summarizeAccount({ id, accountNo, name, currency, type, status, balance, held }: Account) {
  const accountId = toReferenceNo(id);
  return {
    accountNo,
    accountId,
    name,
    currency,
    type,
    status,
    ledgerBalance: balance,
    availableBalance: balance - held,
  };
}

/** A customer or internal account by its number, or by its accountId; undefined when there is none. */
export async function findAccount(
  { pool }: Pick<QueryDeps, "pool">,
  named: string,
): Promise<AccountSummary | undefined> {
  const account = await findNamed(pool, named);
  return account && summarizeAccount(account);
}

/** By number, or by the id that stands for a masked one. */
async function findNamed(pool: QueryDeps["pool"], named: string): Promise<Account | undefined> {
  const id = fromReferenceNo(named);
  return (
    (await findAccountByNumber(pool, named)) ??
    (id === undefined ? undefined : (await findAccountsById(pool, [id])).get(id))
  );
}

/** With its terms: limits, and who may debit it. */
export async function findAccountTerms({ pool, reference }: Pick<QueryDeps, "pool" | "reference">, named: string) {
  const account = await findNamed(pool, named);
  if (!account) return undefined;
  const { limits, minimumBalance, partners } = account;
  return {
    ...summarizeAccount(account),
    limits: { each: limits.perTransaction, daily: limits.daily, dailyCount: limits.dailyCount },
    minimumBalance,
    partnerIds: partners.map((partner) => partnerIdOf({ reference }, partner) || partner).toSorted(),
  };
}

interface AccountsPage {
  /** Account number after which the page begins; absent: from the first. */
  readonly after?: string | undefined;
  readonly limit: number;
  readonly isCounted?: boolean | undefined;
  /** Amounts are of the ledger balance. */
  readonly filter?: Pick<ListFilter, "state" | "minimum" | "maximum"> | undefined;
  /** Internal id of a partner that may debit them. */
  readonly partner?: string | undefined;
}

/** A page of the customer accounts that fit a filter, sorted by number. */
export async function listAccounts(
  { pool }: Pick<QueryDeps, "pool">,
  { after = "", partner, filter, ...page }: AccountsPage,
) {
  const { rows, next, count } = await scanList(
    { ...page, filter: { ...filter, partnerId: partner } },
    { start: after },
    {
      read: (start, limit) => readAccounts(pool, { after: start, limit }),
      idOf: ({ accountNo }) => accountNo,
      factsOf: ({ partners, status: state, balance: amount, currency }) => ({
        partnerId: partners.find((one) => one === partner),
        state,
        amount,
        scale: currencyScale(currency),
      }),
    },
  );
  return { accounts: rows.map(summarizeAccount), next, count };
}

/** A page of the entries of a customer or internal account; undefined when there is none of this number. */
export async function listEntries(
  deps: Pick<QueryDeps, "pool">,
  accountNo: string,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
) {
  const account = await findAccountByNumber(deps.pool, accountNo);
  if (!account) return undefined;
  const from = Math.min(before ?? Infinity, account.version + 1);
  const entries = await readEntries(deps, account.id, { before: from, limit });
  const isLast = entries.length < limit;
  const last = entries.at(-1)?.version ?? 1;
  return {
    currency: account.currency,
    entries,
    /** Version before which the next page starts; undefined on the last page. */
    next: isLast || last <= 1 ? undefined : last,
    /** Gaps among them and below, versions from the first to the last: those entries are in detached partitions. */
    gaps: gapsOf([from, ...entries.map(({ version }) => version), ...(isLast ? [0] : [])]),
  };
}

/** Newest first, those below version `before`; at most `limit`. */
async function readEntries(
  { pool }: Pick<QueryDeps, "pool">,
  accountId: string,
  { before, limit }: { readonly before: number; readonly limit: number },
) {
  const rows = await queryRows(pool, {
    name: "read-entries",
    text: `select version, journal_id, kind, amount, balance_after, ${epochMs("created_at")}
      from entries where account_id = $1::uuid and version < $2::bigint order by version desc limit $3::int`,
    values: [accountId, before, limit],
  });
  return rows.map(([version, journalId, kind, amount, balanceAfter, at]) => ({
    /** Position in the account, numbered from 1. */
    version: Number(version),
    /** Business time (epoch ms). */
    at: Number(at),
    /** Kind of the posting, such as `transfer` or `capture`. */
    kind: kindNameOf(Number(kind)),
    /** Minor units: negative for a debit. */
    amount: BigInt(amount as string),
    /** Ledger balance after the entry, in minor units. */
    balanceAfter: BigInt(balanceAfter as string),
    /** Reference number of its journal. */
    referenceNo: toReferenceNo(journalId as string),
  }));
}

/** Between versions, newest first, of an account that has every version from 1. */
function gapsOf(versions: readonly number[]) {
  return versions.slice(1).flatMap((version, position) => {
    const gap = { first: version + 1, last: (versions[position] ?? 0) - 1 };
    return gap.last >= gap.first ? [gap] : [];
  });
}
