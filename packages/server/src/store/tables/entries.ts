/** Entries: added, never changed or deleted. */
import { bigint, code, type Columns, count, insertRows, int, uuid } from "../statements/row-statements.ts";

/** One debit or credit line; `amount` is credit minus debit in minor units. */
export interface Entry {
  readonly accountId: string;
  readonly version: number;
  readonly journalId: string;
  readonly kind: number;
  /** ISO 4217; the account's. */
  readonly currency: string;
  readonly amount: bigint;
  readonly balanceAfter: bigint;
}

export const entryColumns: Columns<Entry> = {
  account_id: uuid((entry) => entry.accountId),
  version: count((entry) => entry.version),
  journal_id: uuid((entry) => entry.journalId),
  kind: int((entry) => entry.kind),
  currency: code((entry) => entry.currency),
  amount: bigint((entry) => entry.amount),
  balance_after: bigint((entry) => entry.balanceAfter),
};

export const insertEntries = insertRows<Entry>("entries", entryColumns, { created_at: "$1::timestamptz" });
