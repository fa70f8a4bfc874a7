/**
 * What the audit asks, one statement each. A statement sees one snapshot, and a flight commits all
 * its rows at once, so none of them can meet half of a flight: whatever it finds is wrong, load or no load.
 *
 * $1 and $2 bound a slice of ids (above $1, up to $2); $3 is the most findings wanted. Each row is a finding:
 * subject, expected, found.
 */
import type { Statement } from "../session.ts";

/** What is gone through: accounts, journals with records and refusals, holds; each by its ids. */
export type AuditPass = "accounts" | "journals" | "holds";

export interface AuditCheck extends Statement {
  readonly pass: AuditPass;
  /** Whether it reads what calls left as JSON text; rows named in $4 are then left out as unreadable. */
  readonly readsFacts?: true;
}
