/**
 * Checks of the audit. A statement sees one snapshot, and a batch commits all its rows at once, so none of them can
 * meet half of a batch: whatever it finds is wrong, load or no load.
 *
 * $1 and $2 bound a slice of ids (above $1, up to $2); $3 is the most findings wanted. Each row is a finding:
 * subject, expected, found. What a statement reads is bounded by its slice whatever PostgreSQL's statistics say: the
 * slice's rows are materialized first, and joined with each other alone; every other row is looked up by a key of its own.
 */
import type { Statement } from "../../postgres/session.ts";

/**
 * Passes of the audit, each by the ids of its rows: accounts; holds; journals with records, rejections and transfers.
 */
export type AuditPass = "accounts" | "holds" | "journals";

export interface AuditCheck extends Statement {
  readonly pass: AuditPass;
  /** Asked only when not all is gone through: of the accounts, holds and bulks that the journals of the slice touched. */
  readonly ofTouched?: true;
  /**
   * True: it reads `sliceRows`, and is asked with all others that do; $4 names the records without a readable payload.
   */
  readonly readsSliceRows?: true;
}

/** Above the slice's lower bound, up to its upper one. */
export const inSlice = (id: string) => `${id} > $1::uuid and ${id} <= $2::uuid`;

/** One row of a table by a whole key, as `alias`; a `left join` that no plan can turn round. */
export const lookUp = (table: string, alias: string, key: string) =>
  `left join lateral (select * from ${table} where ${key} limit 1) ${alias} on true`;

/** Number of the suspense account of a transfer, as `internalAccountNo` makes it; null where there is no transfer. */
export const suspenseOf = (transfer: string) =>
  `'suspense:' || ${transfer}.rail || ':' || ${transfer}.currency || ':' || lpad(${transfer}.suspense_part::text, 2, '0')`;

/** Number of the account of what goes to a cell, as `internalAccountNo` makes it; null where there is no cell. */
export const transitOutOf = (currency: string, cell: string) =>
  `'transit:out:' || ${currency} || ':' || lpad(${cell}, greatest(2, length(${cell})), '0')`;

/**
 * Rows that most checks of journals read, once for all of them: `entries_of_slice`, each with its account's row (null:
 * there is none), and `records_of_slice`, the accepted requests with their payload parsed (null: unreadable).
 */
export const sliceRows = `moved as materialized (select * from entries where ${inSlice("journal_id")}),
  moved_accounts as materialized (select a.* from (select distinct account_id as id from moved) m cross join lateral (
    select id, account_no, currency, purpose, version from accounts where id = m.id limit 1) a),
  entries_of_slice as materialized (
    select e.*, a.account_no, a.currency as account_currency, a.purpose as account_purpose, a.version as account_version
    from moved e left join moved_accounts a on a.id = e.account_id),
  records_of_slice as materialized (
    select id, partner, service, external_id, external_id_key, partner_reference_key,
      case when id <> all($4::uuid[]) then payload::jsonb end as payload
    from accepted_requests where ${inSlice("id")})`;
