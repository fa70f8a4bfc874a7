/** Findings of the audit: a check, its subject, what was expected and what was found. */
export interface Finding {
  readonly check: string;
  /** Subject of the finding: an account number, a journal, an entry. */
  readonly subject: string;
  readonly expected: string;
  readonly found: string;
  /** Advice, where its check has more to say than to stop what writes. */
  readonly advice?: string;
}

export function toFindings(rows: readonly (readonly (string | null)[])[]): Finding[] {
  return rows.map(([check, subject, expected, found]) => ({
    check: check ?? "",
    subject: subject ?? "",
    expected: expected ?? "",
    found: found ?? "",
  }));
}
