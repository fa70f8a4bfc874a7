/** The entries of an account as queries see them. */
import type { Pool } from "pg";
import { queryRows } from "../../store/postgres/query-rows.ts";
import { epochMs } from "../../store/statements/select-list.ts";
import type { Entry } from "../../store/tables/entries.ts";

export interface KeptEntry extends Entry {
  /** Business time (epoch ms). */
  readonly at: number;
}

/** Newest first, those below version `before`; at most `limit`. */
export async function listEntries(
  pool: Pool,
  accountId: string,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<readonly KeptEntry[]> {
  const rows = await queryRows(pool, {
    name: "read-entries",
    text: `select version, journal_id, kind, currency, amount, balance_after, ${epochMs("created_at")}
      from entries where account_id = $1::uuid and version < $2::bigint order by version desc limit $3::int`,
    values: [accountId, before, limit],
  });
  return rows.map((row) => {
    const [version, journalId, kind, currency, amount, balanceAfter, at] = row as string[];
    return {
      accountId,
      version: Number(version),
      journalId: journalId as string,
      kind: Number(kind),
      currency: currency as string,
      amount: BigInt(amount as string),
      balanceAfter: BigInt(balanceAfter as string),
      at: Number(at),
    };
  });
}
