/**
 * Runs the audit's statements, slice by slice, on a connection of its own. None takes longer than 2 s, and no snapshot
 * outlives its statement: a held one costs the accounts in use a third of their rate.
 */
import type { Client } from "pg";
import { findActFaults } from "./act-chain.ts";
import type { AuditPass } from "./checks/check.ts";
import { type AuditStatement, auditStatements } from "./checks/checks.ts";
import { type Finding, toFindings } from "./finding.ts";
import { countStatements, createSliceFinder, type Slice, type SliceFinder } from "./slices.ts";
import { queryRows } from "../postgres/query-rows.ts";
import { isDataFault } from "./statement-errors.ts";
import { summarize } from "./summarize.ts";
import { checkDetached, type CheckedDetached, type Period, readDetachedPeriods } from "./detached.ts";
import { readOldestWriter } from "./open-writers.ts";
import { findRoleWithoutPosition, keepWatermark, readWatermark } from "./watermark.ts";
import type { RecordSigner } from "../partitions/partition-records.ts";
import { asText, connectPlain } from "../postgres/connect.ts";
import { readDatabaseClock } from "../postgres/database-clock.ts";
import { withSettings } from "../postgres/session-settings.ts";
import { plainArray } from "../postgres/sql-arrays.ts";

export interface AuditSession extends AsyncDisposable {
  /** The id up to which all was found in order before; undefined: nothing was. */
  readWatermark(): Promise<string | undefined>;
  /** Nothing is kept where it is not the one any more that was read when the audit began. */
  keepWatermark(id: string, found: string | undefined): Promise<void>;
  /** The role that it logs in as, where that may not keep how far an audit came. */
  findRoleWithoutPosition(): Promise<string | undefined>;
  /** Periods whose accepted requests and entries are detached, the oldest first. */
  readDetached(): Promise<readonly Period[]>;
  /** Their records, and whether something of them is here again. Without `isSigned` no signature is verified. */
  checkDetached(isSigned: RecordSigner["isSigned"] | undefined): Promise<CheckedDetached>;
  /** The database's time (epoch ms). */
  readClock(): Promise<number>;
  /** Since when (epoch ms) the oldest open transaction writes; undefined: that cannot be said. */
  readOldestWriter(now: number): Promise<number | undefined>;
  /** Has the block range indexes brought up to date that slices are read by. */
  summarize(): Promise<void>;
  /** Faults in the chain of operators' acts: in all of it, or its newest part. */
  checkActs(options: { readonly limit: number; readonly isEverything: boolean }): Promise<readonly Finding[]>;
  slices(pass: AuditPass): SliceFinder;
  /** Finds faults in a slice; at most `limit` a check. `touched`: also in accounts and holds its journals touched. */
  check(slice: Slice, options: { readonly limit: number; readonly touched: boolean }): Promise<readonly Finding[]>;
}

/** Settings of the audit's session. */
export const auditSettings = {
  statement_timeout: "2000",
  default_transaction_read_only: "on",
  // A slice costs what it holds, not what the tables hold: no scan from the start. What is joined are rows of the slice, by
  // hashes whatever PostgreSQL expects of them; the look-ups are of no form that could be hashed.
  enable_seqscan: "off",
  enable_mergejoin: "off",
  enable_nestloop: "off",
  // Enough for the rows of a slice: temporary files would be slower, and disturb the writes of the service.
  work_mem: "65536",
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
    keepWatermark: (id, found) => keepWatermark(client, id, found),
    findRoleWithoutPosition: () => findRoleWithoutPosition(client),
    readDetached: () => readDetachedPeriods(client),
    checkDetached: (isSigned) => checkDetached(client, isSigned),
    checkActs: (options) => findActFaults(client, options),
    readClock: () => readDatabaseClock(client),
    readOldestWriter: (now) => readOldestWriter(client, now),
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
  for (const statement of auditStatements) {
    if (statement.pass === slice.pass && (touched || !statement.ofTouched))
      findings.push(...(await runStatement(client, statement, slice, limit)));
  }
  return findings;
}

async function runStatement(
  client: Client,
  { name, text, readsPayload }: AuditStatement,
  slice: Slice,
  limit: number,
): Promise<readonly Finding[]> {
  const values = [slice.from, slice.to, limit];
  const find = async (more: readonly string[]) =>
    toFindings(await queryRows(client, { name, text, values: [...values, ...more] }));
  if (!readsPayload) return find([]);
  try {
    return await find(["{}"]);
  } catch (error) {
    if (!isDataFault(error)) throw error;
    // PostgreSQL names no row that it cannot read as JSON; only now it is looked for, and the others checked.
    const unreadable = await findUnreadable(client, slice);
    if (unreadable.length === 0)
      throw new Error(`A record above ${slice.from}, up to ${slice.to}, has a value that cannot be read.`, {
        cause: error,
      });
    const faults = unreadable.slice(0, limit).map((id) => ["recordReadable", id, "JSON", "other text"]);
    return [...toFindings(faults), ...(await find([plainArray(unreadable)]))];
  }
}

async function findUnreadable(client: Client, { from, to }: Slice): Promise<readonly string[]> {
  const text = "select id from accepted_requests where id > $1::uuid and id <= $2::uuid";
  return unreadableAmong(
    client,
    (await queryRows(client, { text, values: [from, to] })).map(([id]) => id ?? ""),
  );
}

/** By halves, so that PostgreSQL itself says what it can read. */
async function unreadableAmong(client: Client, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0 || (await areReadable(client, ids))) return [];
  if (ids.length === 1) return ids;
  const half = ids.length >> 1;
  const first = await unreadableAmong(client, ids.slice(0, half));
  return [...first, ...(await unreadableAmong(client, ids.slice(half)))];
}

async function areReadable(client: Client, ids: readonly string[]): Promise<boolean> {
  const text = "select id from accepted_requests where id = any($1::uuid[]) and payload::jsonb is null";
  try {
    await queryRows(client, { text, values: [plainArray(ids)] });
    return true;
  } catch (error) {
    if (isDataFault(error)) return false;
    throw error;
  }
}
