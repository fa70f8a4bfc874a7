/** Acts: why money moved that no partner asked for. Added in the commit of their journals, never changed. */
import { uuidArray } from "../statements/binary-arrays.ts";
import type { Session } from "../postgres/session.ts";
import { code, insertRows, text, uuid } from "../statements/row-statements.ts";

export interface NewAct {
  readonly id: string;
  /** Id of its command, too. */
  readonly journalId: string;
  readonly kind: string;
  readonly reason: string;
  /** As `describeEntries` writes them. */
  readonly entries: string;
}

export const insertActs = insertRows<NewAct>(
  "acts",
  {
    id: uuid((act) => act.id),
    kind: code((act) => act.kind),
    reason: text((act) => act.reason),
    journal_id: uuid((act) => act.journalId),
    entries: text((act) => act.entries),
  },
  { at: "$1::timestamptz" },
);

const findStatement = {
  name: "find-acts",
  text: "select id, entries from acts where id = any($1::uuid[])",
};

/** Entries of the acts of these ids, as far as there are any. To be asked behind the locks of the accounts that they move. */
export async function findActs(session: Session, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await session.run(findStatement, [uuidArray(ids)]);
  return new Map(rows.map(([id, entries]) => [id as string, entries as string]));
}

export interface DescribedEntry {
  readonly accountNo: string;
  readonly amount: bigint;
  readonly currency: string;
}

/** The entries of a journal as one text, in the order of bytes; the audit writes the same (store/audit/act-checks.ts). */
export function describeEntries(entries: readonly DescribedEntry[]): string {
  return entries
    .map(({ accountNo, amount, currency }) => `${accountNo} ${amount} ${currency}`)
    .toSorted((one, other) => (one < other ? -1 : 1))
    .join(", ");
}
