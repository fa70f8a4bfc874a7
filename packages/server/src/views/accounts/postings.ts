/** Postings of journals, from their entries: each is a debit and a credit of one kind. */
import { toReferenceNo } from "../../basics/ids.ts";
import { postingKinds } from "../../ledger/posting.ts";
import { queryRows } from "../../store/postgres/query-rows.ts";
import { plainArray } from "../../store/postgres/sql-arrays.ts";
import { epochMs } from "../../store/statements/select-list.ts";
import type { QueryDeps, Shown } from "../query-deps.ts";

export type PostingSummary = Shown<typeof listPostings>[number];

const kindNames = new Map<number, string>(Object.entries(postingKinds).map(([name, kind]) => [kind, name]));

/** Name of a stored posting kind, such as `submission`, `settlement` or `fee`. */
export function kindNameOf(kind: number): string {
  return kindNames.get(kind) ?? String(kind);
}

/**
 * Lists the postings of journals that move money once for each kind at most; in the order of journals, then kinds. Each journal is
 * looked up by itself: a transfer may settle days later, and the range from one to the other has all entries of those days.
 */
export async function listPostings({ pool }: Pick<QueryDeps, "pool">, journalIds: readonly string[]) {
  if (journalIds.length === 0) return [];
  const rows = await queryRows(pool, {
    name: "list-postings",
    text: `select journal_id, kind, max(account_no) filter (where amount < 0), max(account_no) filter (where amount > 0),
        max(amount), max(balance_after) filter (where amount < 0), max(balance_after) filter (where amount > 0),
        ${epochMs("e.created_at")}
      from unnest($1::uuid[]) wanted (id)
        cross join lateral (select * from entries where journal_id = wanted.id offset 0) e join accounts on accounts.id = e.account_id
      group by journal_id, kind, e.created_at order by journal_id, kind`,
    values: [plainArray(journalIds)],
  });
  return rows.map(([journalId, kind, from, to, amount, fromBalance, toBalance, at]) => ({
    fromAccountNo: from ?? "",
    toAccountNo: to ?? "",
    /** Minor units, as are the ledger balances of both accounts after it. */
    amount: BigInt(amount as string),
    fromBalanceAfter: BigInt(fromBalance ?? 0),
    toBalanceAfter: BigInt(toBalance ?? 0),
    /** Business time (epoch ms). */
    at: Number(at),
    kind: kindNameOf(Number(kind)),
    /** Reference number of its journal. */
    referenceNo: toReferenceNo(journalId as string),
  }));
}
