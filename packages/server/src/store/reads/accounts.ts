/** Accounts as queries see them: committed rows, nothing locked. */
import type { Pool, PoolClient } from "pg";
import { queryRows } from "../postgres/query-rows.ts";
import type { Account } from "../../ledger/accounts/account.ts";
import { accountColumns, readAccount } from "../tables/accounts.ts";

export async function findAccountByNumber(pool: Pool | PoolClient, accountNo: string): Promise<Account | undefined> {
  // PostgreSQL rejects a text with NUL.
  if (accountNo.includes("\u0000")) return undefined;
  const [row] = await queryRows(pool, {
    name: "read-account",
    text: `select ${accountColumns.sql} from accounts where account_no = $1`,
    values: [accountNo],
  });
  return row && readAccount(row);
}

/** By account number; unknown numbers are left out. */
export async function findAccountsByNumber(
  pool: Pool | PoolClient,
  accountNos: readonly string[],
): Promise<ReadonlyMap<string, Account>> {
  const rows = await queryRows(pool, {
    name: "read-accounts-by-number",
    text: `select ${accountColumns.sql} from accounts where account_no = any($1::text[])`,
    // PostgreSQL rejects a text with NUL.
    values: [accountNos.filter((accountNo) => !accountNo.includes("\u0000"))],
  });
  return new Map(rows.map(readAccount).map((account) => [account.accountNo, account]));
}

/** Statuses by account number; unknown numbers are left out. */
export async function readStatuses(pool: Pool, accountNos: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await queryRows(pool, {
    name: "read-account-statuses",
    text: "select account_no, status from accounts where account_no = any($1::text[])",
    values: [accountNos],
  });
  return new Map(rows.map(([accountNo, status]) => [accountNo as string, status as string]));
}

/** By id; unknown ids are left out. */
export async function findAccountsById(
  pool: Pool | PoolClient,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Account>> {
  const rows = await queryRows(pool, {
    name: "read-accounts-by-id",
    text: `select ${accountColumns.sql} from accounts where id = any($1::uuid[])`,
    values: [ids],
  });
  return new Map(rows.map(readAccount).map((account) => [account.id, account]));
}

/** Names of the customers who hold these accounts, by account number; numbers that no customer's account has are left out. */
export async function findHolders(
  pool: Pool | PoolClient,
  accountNos: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  // PostgreSQL rejects a text with NUL.
  const asked = [...new Set(accountNos)].filter((accountNo) => !accountNo.includes("\u0000"));
  if (asked.length === 0) return new Map();
  const rows = await queryRows(pool, {
    name: "find-holders",
    text: "select account_no, name from accounts where account_no = any($1::text[]) and purpose = 'customer'",
    values: [asked],
  });
  return new Map(rows.map(([accountNo, name]) => [accountNo as string, name as string]));
}

/** Sum of the ledger balances of accounts, in minor units; numbers that no account has are left out. */
export async function sumBalances(pool: Pool, accountNos: readonly string[]): Promise<bigint> {
  const [row] = await queryRows(pool, {
    name: "sum-balances",
    text: "select coalesce(sum(balance), 0) from accounts where account_no = any($1::text[])",
    values: [accountNos],
  });
  return BigInt(row?.[0] ?? 0);
}

/** Ledger balances, in minor units, by account number; numbers that no account has are left out. */
export async function readBalances(pool: Pool, accountNos: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
  const rows = await queryRows(pool, {
    name: "read-balances",
    text: "select account_no, balance from accounts where account_no = any($1::text[])",
    values: [accountNos],
  });
  return new Map(rows.map(([accountNo, balance]) => [accountNo as string, BigInt(balance as string)]));
}

export interface AccountPage {
  /** Account number after which the page begins; absent: from the first. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export async function listAccounts(pool: Pool, { after = "", limit }: AccountPage): Promise<readonly Account[]> {
  const rows = await queryRows(pool, {
    name: "list-accounts",
    text: `select ${accountColumns.sql} from accounts
      where purpose = 'customer' and account_no > $1 order by account_no limit $2::int`,
    values: [after, limit],
  });
  return rows.map(readAccount);
}
