/** Entries: added, never changed or deleted. */
import { bigintArray, countArray, intArray, uuidArray } from "../postgres/binary-arrays.ts";
import type { Session, Statement } from "../postgres/session.ts";
import { plainArray } from "../postgres/sql-arrays.ts";

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

const insertEntriesStatement: Statement = {
  name: "insert-entries",
  text: `insert into entries (account_id, version, journal_id, kind, currency, amount, balance_after, created_at)
    select e.account_id, e.version, e.journal_id, e.kind, e.currency, e.amount, e.balance_after, $8::timestamptz
    from unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::int[], $5::text[], $6::bigint[], $7::bigint[])
      e (account_id, version, journal_id, kind, currency, amount, balance_after)`,
};

export function insertEntries(session: Session, entries: readonly Entry[], at: string): Promise<unknown> {
  return session.run(insertEntriesStatement, [
    uuidArray(entries.map((entry) => entry.accountId)),
    countArray(entries.map((entry) => entry.version)),
    uuidArray(entries.map((entry) => entry.journalId)),
    intArray(entries.map((entry) => entry.kind)),
    plainArray(entries.map((entry) => entry.currency)),
    bigintArray(entries.map((entry) => entry.amount)),
    bigintArray(entries.map((entry) => entry.balanceAfter)),
    at,
  ]);
}
