/**
 * What the audit asks, one statement each. A statement sees one snapshot, and a batch commits all
 * its rows at once, so none of them can meet half of a batch: whatever it finds is wrong, load or no load.
 *
 * $1 and $2 bound a slice of ids (above $1, up to $2); $3 is the most findings wanted. Each row is a finding:
 * subject, expected, found. What a statement reads is bounded by its slice whatever PostgreSQL's statistics say: the
 * slice's rows are materialized first, and every other row is then looked up by a key of its own.
 */
import type { Statement } from "../postgres/session.ts";

/** What is gone through, each by its ids: accounts; holds; journals with records, rejections and transfers. */
export type AuditPass = "accounts" | "holds" | "journals";

export interface AuditCheck extends Statement {
  readonly pass: AuditPass;
  /** Asked only when not all is gone through: of the accounts, holds and bulks that the journals of the slice touched. */
  readonly ofTouched?: true;
  /** Whether it reads what calls left as JSON text; rows named in $4 are then left out as unreadable. */
  readonly readsFacts?: true;
}

/** Above the slice's lower bound, up to its upper one. */
export const inSlice = (id: string) => `${id} > $1::uuid and ${id} <= $2::uuid`;

/** One row of a table by a whole key, as `alias`; a `left join` that no plan can turn round. */
export const lookUp = (table: string, alias: string, key: string) =>
  `left join lateral (select * from ${table} where ${key} limit 1) ${alias} on true`;

/** Number of the suspense account of a transfer, as `internalAccountNo` makes it; null where there is no transfer. */
export const suspenseOf = (transfer: string) =>
  `'suspense:' || ${transfer}.rail || ':' || ${transfer}.currency || ':' || lpad(${transfer}.suspense_part::text, 2, '0')`;

/** The entries of the slice's journals, each with its account's row as `a`. */
export const entriesOfSlice = `entries_of_slice as materialized (select * from entries where ${inSlice("journal_id")})`;
