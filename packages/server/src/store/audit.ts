/**
 * Runs the audit's statements, slice by slice, on a connection of its own. None takes longer than 2 s, and no snapshot
 * outlives its statement: a held one costs the accounts in use a third of their rate.
 */
import type { Client } from "pg";
import type { AuditCheck, AuditPass } from "./audit/check.ts";
import { auditChecks } from "./audit/checks.ts";
import { asText, connectPlain } from "./connect.ts";
import { withSettings } from "./session-settings.ts";
import { plainArray } from "./sql-arrays.ts";

export interface Slice {
  readonly pass: AuditPass;
  /** Ids above this one … */
  readonly from: string;
  /** … up to this one. */
  readonly to: string;
}

export interface Finding {
  readonly check: string;
  /** What it is about: an account number, a journal, an entry. */
  readonly subject: string;
  readonly expected: string;
  readonly found: string;
}

export interface AuditSession extends AsyncDisposable {
  /** The next slice of about `size` rows above `from`, and how many it has; the last one ends with `lastId`. */
  nextSlice(pass: AuditPass, from: string, size: number): Promise<{ readonly slice: Slice; readonly rows: number }>;
  /** What is wrong in a slice; at most `most` findings a check. */
  check(slice: Slice, most: number): Promise<readonly Finding[]>;
}

export const firstId = "00000000-0000-0000-0000-000000000000";
export const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** The code of a statement that was ended because its 2 s were over. */
const overdueCode = "57014";

const sessionSettings = {
  statement_timeout: "2000",
  default_transaction_read_only: "on",
  // A slice costs what it holds, not what the tables hold: no scan from the start, no hash of all accounts.
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  max_parallel_workers_per_gather: "0",
  jit: "off",
};

export async function openAuditSession(url: string): Promise<AuditSession> {
  const client = await connectPlain({
    ...withSettings(url, sessionSettings),
    application_name: "titian audit",
    query_timeout: 10_000,
    types: asText,
  });
  return {
    nextSlice: (pass, from, size) => nextSlice(client, pass, from, size),
    check: (slice, most) => checkSlice(client, slice, most),
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** Whether a statement was cut off, so that a smaller slice may succeed. */
export function isOverdue(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === overdueCode;
}

/** The middle of twice as many ids as wanted, where there are so many: a bound that no late commit moves far. */
const middleOf = (ids: string) =>
  `select percentile_disc(0.5) within group (order by id) as bound, count(*) as counted from (${ids} limit 2 * $2::int) sample`;

/** What a pass goes through. Its slices hold about as many rows of each table as wanted, or fewer. */
const sources = {
  accounts: [middleOf("select id from accounts where id > $1::uuid order by id")],
  journals: [
    // Entries lie about in the order of their journals' ids, and are found by their blocks.
    middleOf("select journal_id as id from entries where journal_id > $1::uuid"),
    middleOf("select id from writes where id > $1::uuid order by id"),
    middleOf("select id from refusals where id > $1::uuid order by id"),
  ],
  holds: [
    middleOf("select id from holds where id > $1::uuid order by id"),
    middleOf("select hold as id from hold_lines where hold > $1::uuid order by hold"),
  ],
} as const satisfies Record<AuditPass, readonly string[]>;

async function nextSlice(client: Client, pass: AuditPass, from: string, size: number) {
  const text = `select min(bound::text) filter (where counted = 2 * $2::int), max(counted)
    from (${sources[pass].join(" union all ")}) sources`;
  const [row] = await rowsOf(client, text, [from, size]);
  const bound = row?.[0];
  if (bound == null) return { slice: { pass, from, to: lastId }, rows: Number(row?.[1]) };
  return { slice: { pass, from, to: bound }, rows: size };
}

async function checkSlice(client: Client, slice: Slice, most: number): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const check of auditChecks) {
    if (check.pass === slice.pass) findings.push(...(await runCheck(client, check, slice, most)));
  }
  return findings;
}

async function runCheck(client: Client, check: AuditCheck, slice: Slice, most: number): Promise<readonly Finding[]> {
  const values = [slice.from, slice.to, most];
  if (!check.readsFacts) return toFindings(check.name, await rowsOf(client, check.text, values));
  try {
    return toFindings(check.name, await rowsOf(client, check.text, [...values, "{}"]));
  } catch (error) {
    if (!isDataFault(error)) throw error;
    // PostgreSQL names no row that it cannot read as JSON; only now each is looked at, and the others checked.
    const unreadable = await findUnreadable(client, slice);
    const rows = await rowsOf(client, check.text, [...values, plainArray(unreadable)]);
    const faults = unreadable.slice(0, most).map((id) => [id, "JSON", "other text"]);
    return [...toFindings("recordReadable", faults), ...toFindings(check.name, rows)];
  }
}

async function findUnreadable(client: Client, { from, to }: Slice): Promise<readonly string[]> {
  const text =
    "select id, facts from writes where id > $1::uuid and id <= $2::uuid and service in (17, 18, 22, 23, 63, 65, 67, 69)";
  return (await rowsOf(client, text, [from, to])).flatMap(([id, facts]) => {
    try {
      JSON.parse(facts ?? "");
      return [];
    } catch {
      return [id ?? ""];
    }
  });
}

function toFindings(check: string, rows: readonly (readonly (string | null)[])[]): readonly Finding[] {
  return rows.map(([subject, expected, found]) => ({
    check,
    subject: subject ?? "",
    expected: expected ?? "",
    found: found ?? "",
  }));
}

/** Class 22: the data does not fit what the statement does with it. */
function isDataFault(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("22");
}

async function rowsOf(client: Client, text: string, values: readonly unknown[]) {
  const { rows } = await client.query<(string | null)[]>({ text, values: [...values], rowMode: "array" });
  return rows;
}
