/**
 * Runs the audit's statements, slice by slice, on a connection of its own. None takes longer than 2 s, and no snapshot
 * outlives its statement: a held one costs the accounts in use a third of their rate.
 */
import type { Client } from "pg";
import type { AuditCheck, AuditPass } from "./check.ts";
import { auditChecks } from "./checks.ts";
import { countStatements, createSliceFinder, type Slice, type SliceFinder } from "./slices.ts";
import { queryRows } from "../postgres/query-rows.ts";
import { isDataFault } from "./statement-errors.ts";
import { summarize } from "./summarize.ts";
import { readDetachedUntil } from "./detached.ts";
import { keepWatermark, readWatermark } from "./watermark.ts";
import { asText, connectPlain } from "../postgres/connect.ts";
import { readDatabaseClock } from "../postgres/database-clock.ts";
import { withSettings } from "../postgres/session-settings.ts";
import { plainArray } from "../postgres/sql-arrays.ts";

export interface Finding {
  readonly check: string;
  /** What it is about: an account number, a journal, an entry. */
  readonly subject: string;
  readonly expected: string;
  readonly found: string;
}

export interface AuditSession extends AsyncDisposable {
  /** The id up to which all was found in order before; undefined: nothing was. */
  readWatermark(): Promise<string | undefined>;
  keepWatermark(id: string): Promise<void>;
  /** The id from which on all accepted requests and entries are there; undefined: no partition is detached. */
  readDetachedUntil(): Promise<string | undefined>;
  /** The database's time (epoch ms). */
  readClock(): Promise<number>;
  /** Has the block range indexes brought up to date that slices are read by. */
  summarize(): Promise<void>;
  slices(pass: AuditPass): SliceFinder;
  /** What is wrong in a slice; at most `limit` findings a check. `touched`: also in accounts and holds its journals touched. */
  check(slice: Slice, options: { readonly limit: number; readonly touched: boolean }): Promise<readonly Finding[]>;
}

/** Settings of the audit's session. */
export const auditSettings = {
  statement_timeout: "2000",
  default_transaction_read_only: "on",
  // A slice costs what it holds, not what the tables hold: no scan from the start, no hash of all accounts.
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  max_parallel_workers_per_gather: "0",
  jit: "off",
  // Planned once, not for each slice.
  plan_cache_mode: "force_generic_plan",
};

export async function openAuditSession(url: string): Promise<AuditSession> {
  const client = await connectPlain({
    ...withSettings(url, auditSettings),
    application_name: "titian audit",
    query_timeout: 10_000,
    types: asText,
  });
  return {
    readWatermark: () => readWatermark(client),
    keepWatermark: (id) => keepWatermark(client, id),
    readDetachedUntil: () => readDetachedUntil(client),
    readClock: () => readDatabaseClock(client),
    summarize: () => summarize(client),
    slices: (pass) =>
      createSliceFinder(pass, async ({ from, to }, limit) => {
        const [row = []] = await queryRows(client, { ...countStatements[pass], values: [from, to, limit] });
        return row.map(Number);
      }),
    check: (slice, options) => checkSlice(client, slice, options),
    [Symbol.asyncDispose]: () => client.end(),
  };
}

async function checkSlice(client: Client, slice: Slice, { limit, touched }: { limit: number; touched: boolean }) {
  const findings: Finding[] = [];
  for (const check of auditChecks) {
    if (check.pass === slice.pass && (touched || !check.ofTouched))
      findings.push(...(await runCheck(client, check, slice, limit)));
  }
  return findings;
}

async function runCheck(client: Client, check: AuditCheck, slice: Slice, limit: number): Promise<readonly Finding[]> {
  const values = [slice.from, slice.to, limit];
  const statement = { name: `${check.name} of ${check.ofTouched ? "touched" : check.pass}`, text: check.text };
  if (!check.readsFacts) return toFindings(check.name, await queryRows(client, { ...statement, values }));
  try {
    return toFindings(check.name, await queryRows(client, { ...statement, values: [...values, "{}"] }));
  } catch (error) {
    if (!isDataFault(error)) throw error;
    // PostgreSQL names no row that it cannot read as JSON; only now each is looked at, and the others checked.
    const unreadable = await findUnreadable(client, slice);
    const rows = await queryRows(client, { ...statement, values: [...values, plainArray(unreadable)] });
    const faults = unreadable.slice(0, limit).map((id) => [id, "JSON", "other text"]);
    return [...toFindings("recordReadable", faults), ...toFindings(check.name, rows)];
  }
}

async function findUnreadable(client: Client, { from, to }: Slice): Promise<readonly string[]> {
  const text =
    "select id, payload from accepted_requests where id > $1::uuid and id <= $2::uuid and service in (17, 18, 19, 20, 22, 23, 63, 65, 67, 69)";
  return (await queryRows(client, { text, values: [from, to] })).flatMap(([id, facts]) => {
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
