/** Calls that are kept beside their records (ADR 0072), written by a job behind their answers. */
import type { Pool } from "pg";
import { queryRows } from "../../postgres/query-rows.ts";
import type { TextRow } from "../../postgres/round-trips/round-trip.ts";
import { plainArray, readTextList, textList } from "../../postgres/sql-arrays.ts";
import { timeArray, uuidArray } from "../../statements/binary-arrays.ts";
import { hasId, idValues } from "../../statements/id-range.ts";
import { selectList } from "../../statements/select-list.ts";

export interface KeptCall {
  /** `X-CORRELATION-ID`, 16 hex digits; of inquiries that of the last one. */
  readonly correlationId: string;
  /** Business time (epoch ms); of inquiries of the last one. */
  readonly at: number;
  /** Id of its record, or an id of its own. */
  readonly record: string;
  /** Seven digits. */
  readonly responseCode: string;
  /** Answered inquiries of the record, in one row; undefined: one call. */
  readonly inquiries: number | undefined;
  /** Internal id of its partner, where no record says it. */
  readonly partner: string | undefined;
  /** Key of the number that it names and no accepted request had. */
  readonly number: string | undefined;
  /** Address of the caller; undefined: of inquiries, and where it was not known. */
  readonly address: string | undefined;
  /** Sealed. */
  readonly body: string | undefined;
}

/** Rows of a record, inquiries aside: with those at most twenty. */
const callsOfRecordMax = 19;

/**
 * Adds calls, of each record the first; inquiries are added to those that its row counts. At most one row of inquiries a record
 * may be given. In the order of records: two nodes meet in one order.
 */
export async function addKeptCalls(pool: Pool, calls: readonly KeptCall[]): Promise<void> {
  if (calls.length === 0) return;
  await queryRows(pool, {
    name: "add-kept-calls",
    text: `insert into kept_calls as kept (correlation, at, record, code, inquiries, partner, number, address, body)
      select correlation, at, record, code, inquiries, partner, number, address::inet, body from (
        select *, row_number() over (partition by record, inquiries is null order by at, correlation) as nth
        from unnest($1::bigint[], $2::timestamptz[], $3::uuid[], $4::int[], $5::int[], $6::uuid[], $7::uuid[], ${readTextList(8)}, ${readTextList(9)})
          given (correlation, at, record, code, inquiries, partner, number, address, body)) given
      where inquiries is not null or nth + (
        select count(*) from kept_calls k where k.record = given.record and k.inquiries is null) <= $10::int
      order by record, correlation
      on conflict (record) where inquiries is not null do update set
        inquiries = kept.inquiries + excluded.inquiries, at = excluded.at, code = excluded.code, correlation = excluded.correlation`,
    values: [
      plainArray(calls.map(({ correlationId }) => toBigint(correlationId))),
      timeArray(calls.map(({ at }) => at)),
      uuidArray(calls.map(({ record }) => record)),
      plainArray(calls.map(({ responseCode }) => responseCode)),
      plainArray(calls.map(({ inquiries }) => inquiries)),
      plainArray(calls.map(({ partner }) => partner)),
      plainArray(calls.map(({ number }) => number)),
      // An IPv6 address without its zone, which is a name of this machine's.
      textList(calls.map(({ address }) => address?.replace(/%.*/, ""))),
      textList(calls.map(({ body }) => body)),
      callsOfRecordMax,
    ],
  });
}

const columns = selectList(["correlation, record, code, inquiries, partner, number, address, body"], ["at"]);

/** Calls of these records, in the order of time. */
export async function listKeptCalls(pool: Pool, records: readonly string[]): Promise<readonly KeptCall[]> {
  const rows = await queryRows(pool, {
    name: "list-kept-calls",
    text: `select ${columns.sql} from kept_calls where ${hasId("record")} order by kept_calls.at, correlation`,
    values: idValues(records),
  });
  return rows.map(read);
}

/** The newest calls that named this number while no accepted request had it, in the order of time. */
export async function listCallsOfNumber(pool: Pool, number: string, limit: number): Promise<readonly KeptCall[]> {
  const rows = await queryRows(pool, {
    name: "list-kept-calls-of-number",
    text: `select ${columns.sql} from kept_calls where number = $1::uuid order by kept_calls.at desc, correlation limit $2::int`,
    values: [number, limit],
  });
  return rows.map(read).toReversed();
}

/** The call of an `X-CORRELATION-ID`, 16 hex digits. */
export async function findKeptCall(pool: Pool, correlationId: string): Promise<KeptCall | undefined> {
  const [row] = await queryRows(pool, {
    name: "find-kept-call",
    text: `select ${columns.sql} from kept_calls where correlation = $1::bigint limit 1`,
    values: [toBigint(correlationId)],
  });
  return row && read(row);
}

/** The partners of these accepted requests, by their ids. */
export async function findPartnersOf(pool: Pool, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queryRows(pool, {
    name: "find-partners-of-requests",
    text: `select id, partner from accepted_requests where ${hasId("id")}`,
    values: idValues(ids),
  });
  return new Map(rows.map(([id, partner]) => [id as string, partner as string]));
}

function read(row: TextRow): KeptCall {
  const { at } = columns;
  return {
    correlationId: toHex(row[at.correlation] as string),
    at: Number(row[at.at]),
    record: row[at.record] as string,
    responseCode: row[at.code] as string,
    inquiries: row[at.inquiries] == null ? undefined : Number(row[at.inquiries]),
    partner: row[at.partner] ?? undefined,
    number: row[at.number] ?? undefined,
    address: row[at.address] ?? undefined,
    body: row[at.body] ?? undefined,
  };
}

function toBigint(correlationId: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${correlationId}`));
}

function toHex(bigint: string): string {
  return BigInt.asUintN(64, BigInt(bigint)).toString(16).padStart(16, "0");
}
