/** Postings of journals, from their entries: each is a debit and a credit of one kind. */
import type { Pool } from "pg";
import { queryRows } from "../../store/postgres/query-rows.ts";
import { hasId, idValues } from "../../store/statements/id-range.ts";
import { epochMs } from "../../store/statements/select-list.ts";

export interface KeptPosting {
  readonly journalId: string;
  /** A number of `postingKinds`. */
  readonly kind: number;
  readonly fromAccountNo: string;
  readonly toAccountNo: string;
  /** Minor units, as are the ledger balances of both accounts after it. */
  readonly amount: bigint;
  readonly fromBalanceAfter: bigint;
  readonly toBalanceAfter: bigint;
  /** Business time (epoch ms). */
  readonly at: number;
}

/** Of journals that move money once for each kind at most; in the order of journals, then kinds. */
export async function listPostings(pool: Pool, journalIds: readonly string[]): Promise<readonly KeptPosting[]> {
  if (journalIds.length === 0) return [];
  const rows = await queryRows(pool, {
    name: "list-postings",
    text: `select journal_id, kind, max(account_no) filter (where amount < 0), max(account_no) filter (where amount > 0),
        max(amount), max(balance_after) filter (where amount < 0), max(balance_after) filter (where amount > 0),
        ${epochMs("entries.created_at")}
      from entries join accounts on accounts.id = account_id
      where ${hasId("journal_id")} group by journal_id, kind, entries.created_at order by journal_id, kind`,
    values: idValues(journalIds),
  });
  return rows.map(([journalId, kind, from, to, amount, fromBalance, toBalance, at]) => ({
    journalId: journalId as string,
    kind: Number(kind),
    fromAccountNo: from ?? "",
    toAccountNo: to ?? "",
    amount: BigInt(amount as string),
    fromBalanceAfter: BigInt(fromBalance ?? 0),
    toBalanceAfter: BigInt(toBalance ?? 0),
    at: Number(at),
  }));
}
