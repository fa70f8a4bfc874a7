/** Acts: why money moved that no partner asked for. Added in the commit of their journals, never changed. */
import { code, insertRows, text, uuid } from "../statements/row-statements.ts";

export interface NewAct {
  /** Id of the command, and of its journal. */
  readonly id: string;
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
    journal_id: uuid((act) => act.id),
    entries: text((act) => act.entries),
  },
  { at: "$1::timestamptz" },
);

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
