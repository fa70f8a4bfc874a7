/** Pages of holders' accounts, in the order of their numbers. */
import type { Pool } from "pg";
import type { Account } from "../../ledger/accounts/account.ts";
import { accountColumns, readAccount } from "../tables/accounts.ts";
import type { TextRow } from "../postgres/session.ts";

export interface AccountPage {
  /** Account number after which the page begins; absent: from the first. */
  readonly after?: string | undefined;
  /** At most so many. */
  readonly limit: number;
}

export async function listAccounts(pool: Pool, { after = "", limit }: AccountPage): Promise<readonly Account[]> {
  const { rows } = await pool.query<(string | null)[]>({
    name: "list-accounts",
    text: `select ${accountColumns.sql} from accounts
      where purpose = 'customer' and account_no > $1 order by account_no limit $2::int`,
    values: [after, limit],
    rowMode: "array",
  });
  return rows.map((row: TextRow) => readAccount(row));
}
