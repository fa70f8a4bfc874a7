/** Postings of journals, from their entries: each is a debit and a credit of one kind. */
import { toReferenceNo } from "../../basics/ids.ts";
import { postingKinds } from "../../ledger/posting.ts";
import { queryRows } from "../../store/postgres/query-rows.ts";
import { hasId, idValues } from "../../store/statements/id-range.ts";
import { epochMs } from "../../store/statements/select-list.ts";
import type { QueryDeps, Shown } from "../query-deps.ts";

export type PostingSummary = Shown<typeof listPostings>[number];

const kindNames = new Map<number, string>(Object.entries(postingKinds).map(([name, kind]) => [kind, name]));

/** Name of a stored posting kind, such as `submission`, `settlement` or `fee`. */
export function kindNameOf(kind: number): string {
  return kindNames.get(kind) ?? String(kind);
}

/** Lists the postings of journals that move money once for each kind at most; in the order of journals, then kinds. */
export async function listPostings({ pool }: Pick<QueryDeps, "pool">, journalIds: readonly string[]) {
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
