/** Accounts by their internal ids, as other rows name them: committed rows, nothing locked. */
import type { Pool, PoolClient } from "pg";
import type { Account } from "../../ledger/accounts/account.ts";
import { accountColumns, readAccount } from "../tables/accounts.ts";

/** By id. Ids of no account are left out. */
export async function findAccountsById(
  pool: Pool | PoolClient,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Account>> {
  const { rows } = await pool.query<(string | null)[]>({
    name: "read-accounts-by-id",
    text: `select ${accountColumns.sql} from accounts where id = any($1::uuid[])`,
    values: [ids],
    rowMode: "array",
  });
  return new Map(rows.map(readAccount).map((account) => [account.id, account]));
}
