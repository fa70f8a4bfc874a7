/** Accounts as queries see them: committed rows, nothing locked. */
import type { Pool, PoolClient } from "pg";
import type { Account } from "../../ledger/accounts/account.ts";
import { accountColumns, readAccount } from "../tables/accounts.ts";
import type { TextRow } from "../postgres/session.ts";

/** The account of a number, or undefined. */
export async function findAccountByNumber(pool: Pool | PoolClient, accountNo: string): Promise<Account | undefined> {
  // PostgreSQL's text holds no NUL, and rejects to be asked for one.
  if (accountNo.includes("\u0000")) return undefined;
  const result = await pool.query<TextRow[]>({
    name: "read-account",
    text: `select ${accountColumns.sql} from accounts where account_no = $1`,
    values: [accountNo],
    rowMode: "array",
  });
  const row = result.rows[0] as TextRow | undefined;
  return row && readAccount(row);
}
