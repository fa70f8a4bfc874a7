/** Instructions to rails with one writer, as the holder of the lease exports them: every statement looks at its lease. */
import type { Pool } from "pg";
import type { Moment } from "../../../basics/clock.ts";
import type { RailName } from "../../../ledger/rails/terms.ts";
import { type Claimed, claimRows } from "../../postgres/claim-rows.ts";
import { queryRows } from "../../postgres/query-rows.ts";
import type { TextRow } from "../../postgres/session.ts";
import type { LeaseTerms } from "./rail-leases.ts";

/** True when some wait for their export that have not expired by `now` (epoch ms). */
export async function areAskedFor(pool: Pool, rail: RailName, now: number): Promise<boolean> {
  const rows = await queryRows(pool, {
    name: "are-exports-asked-for",
    text: `select rail from rail_instructions
      where rail = $1 and written_at is null and fence is null and valid_until > $2::timestamptz limit 1`,
    values: [rail, new Date(now).toISOString()],
  });
  return rows.length > 0;
}

export interface AssignedRow {
  readonly referenceNo: string;
  readonly idempotencyKey: string | undefined;
  readonly terms: string;
  readonly validUntil: number;
  readonly sequence: number;
  /** A caller waited for its result when it was asked for. */
  readonly isAwaited: boolean;
  /** Parts of a payment's record; null where the transfer is not found. */
  readonly record: AssignedRecord;
}

/** Amounts in minor units. */
export type AssignedRecord = Readonly<Record<(typeof recordMembers)[number], string | null>>;

interface Assignment {
  /** The last sequence, as the exporter knows it: a database that was replaced by another copy has another. */
  readonly sequence: number;
  readonly limit: number;
  /** Real time (epoch ms): what has expired by then is not assigned. */
  readonly now: number;
  /** The moment that `now` is. */
  readonly at: Moment;
}

/**
 * Gives those that wait the next sequences, and the fencing number of who writes their lines: in one commit, which stands
 * before the lines. Nothing is assigned when the lease is another's, the rail is stopped, or the sequence is another one.
 * `idOf`: of a reference number, its transfer.
 */
export async function assignSequences(
  pool: Pool,
  { rail, holder, fence }: LeaseTerms,
  { sequence, limit, now, at }: Assignment,
  idOf: (referenceNo: string) => string | undefined,
): Promise<Claimed<AssignedRow>> {
  const claim = {
    name: "assign-rail-sequences",
    text: `with lease as materialized (
        select sequence from rail_leases where rail = $1 and holder = $2::uuid and fence = $3::bigint
          and sequence = $4::bigint and stopped_because is null for no key update),
      found as materialized (
        select reference_no, sequence is null as is_new, sequence from rail_instructions
        where rail = $1 and written_at is null and fence is null and valid_until > $5::timestamptz
          and exists (select from lease)
        order by sequence, reference_no limit $6::int for no key update),
      placed as (
        select reference_no, sum(is_new::int) over (order by is_new, reference_no) as place from found),
      advanced as (
        update rail_leases set sequence = rail_leases.sequence + (select count(*) from found where is_new)
        where rail = $1 and exists (select from found) returning rail),
      assigned as (
        update rail_instructions i set sequence = coalesce(i.sequence, lease.sequence + placed.place), fence = $3::bigint
        from placed cross join lease where i.rail = $1 and i.reference_no = placed.reference_no
        returning i.reference_no, i.idempotency_key, i.terms, i.valid_until, i.sequence, i.awaited_until)
      select reference_no, idempotency_key, terms, extract(epoch from valid_until) * 1000, sequence, awaited_until is not null from assigned`,
    values: [rail, holder, fence, sequence, new Date(now).toISOString(), limit],
  };
  const { rows, commit } = await claimRows(pool, claim, at);
  const ids = rows.flatMap(([referenceNo]) => idOf(referenceNo as string) ?? []);
  const records = await findRecords(pool, ids);
  const assigned = rows.map((row): AssignedRow => {
    const [referenceNo, idempotencyKey, terms, validUntil, assignedSequence, isAwaited] = row;
    const number = referenceNo as string;
    return {
      referenceNo: number,
      idempotencyKey: idempotencyKey ?? undefined,
      terms: terms ?? "{}",
      validUntil: Number(validUntil),
      sequence: Number(assignedSequence),
      isAwaited: isAwaited === "t",
      record: records.get(idOf(number) ?? "") ?? noRecord,
    };
  });
  return { rows: assigned.toSorted((a, b) => a.sequence - b.sequence), commit };
}

const recordMembers = [
  "partner",
  "partnerId",
  "service",
  "externalId",
  "fingerprint",
  "fee",
  "payerAccountNo",
  "payload",
  "freeForm",
  "bulk",
] as const;

const noRecord = toRecord([]);

function toRecord(values: TextRow): AssignedRecord {
  return Object.fromEntries(recordMembers.map((name, index) => [name, values[index] ?? null])) as AssignedRecord;
}

/** By id of the transfer. */
async function findRecords(pool: Pool, ids: readonly string[]): Promise<ReadonlyMap<string, AssignedRecord>> {
  if (ids.length === 0) return new Map();
  const rows = await queryRows(pool, {
    name: "find-records-of-instructions",
    text: `select t.id, t.partner, p.partner_id, t.service, r.external_id, r.request_fingerprint, t.fee, a.account_no, r.payload,
        r.additional_info, case when t.bulk_id is not null then json_build_object('id', t.bulk_id, 'position', t.bulk_position,
          'requestFingerprint', rb.request_fingerprint, 'partnerReferenceKey', rb.partner_reference_key,
          'payload', rb.payload::json, 'freeForm', rb.additional_info) end
      from unnest($1::uuid[]) asked (id) join transfers t on t.id = asked.id
      left join lateral (select * from accepted_requests where id = asked.id limit 1) r on true
      left join lateral (select * from accepted_requests where id = t.bulk_id limit 1) rb on true
      left join partners p on p.id = t.partner left join accounts a on a.id = t.source_account_id`,
    values: [ids],
  });
  return new Map(rows.map(([id, ...values]) => [id as string, toRecord(values)]));
}

/** Their lines are durable, in the file of this lease or in one before. False: the lease is another's. */
export async function recordWritten(
  pool: Pool,
  { rail, holder, fence }: LeaseTerms,
  numbers: readonly string[],
  now: number,
): Promise<boolean> {
  const rows = await queryRows(pool, {
    name: "record-written-instructions",
    text: `with lease as (
        select rail from rail_leases where rail = $1 and holder = $2::uuid and fence = $3::bigint),
      written as (
        update rail_instructions i set written_at = $5::timestamptz from lease
        where i.rail = $1 and i.reference_no = any($4::text[]) and i.written_at is null returning i.rail)
      select rail from lease`,
    values: [rail, holder, fence, numbers, new Date(now).toISOString()],
  });
  return rows.length > 0;
}

/** Frees unexpired instructions that an earlier holder was given and no file has: the next assignment writes them. */
export async function freeUnwritten(pool: Pool, { rail, holder, fence }: LeaseTerms): Promise<void> {
  await queryRows(pool, {
    name: "free-unwritten-instructions",
    text: `update rail_instructions set fence = null
      where rail = $1 and written_at is null and fence is not null
        and exists (select from rail_leases where rail = $1 and holder = $2::uuid and fence = $3::bigint)`,
    values: [rail, holder, fence],
  });
}

export interface ReportedInstruction {
  readonly referenceNo: string;
  readonly state: string;
  readonly rejection?: string | undefined;
  readonly traceNo?: string | undefined;
}

/**
 * The first report of each stands, but for a return behind a settlement. A report proves that the line was written. Returns the
 * numbers whose result a caller waits for, at whichever node; undefined: the lease is another's.
 */
export async function recordReports(
  pool: Pool,
  { rail, holder, fence }: LeaseTerms,
  given: readonly ReportedInstruction[],
  now: number,
): Promise<readonly string[] | undefined> {
  const reports = oneOfEach(given);
  const rows = await queryRows(pool, {
    name: "record-rail-reports",
    text: `with lease as (
        select rail from rail_leases where rail = $1 and holder = $2::uuid and fence = $3::bigint),
      reported as (
        update rail_instructions i set state = r.state, rejection = r.rejection, trace_no = coalesce(r.trace_no, i.trace_no),
          written_at = coalesce(i.written_at, least($8::timestamptz, i.valid_until))
        from lease cross join unnest($4::text[], $5::text[], $6::text[], $7::text[]) r (number, state, rejection, trace_no)
        where i.rail = $1 and i.reference_no = r.number
          and (i.state is null or (i.state = 'settled' and r.state = 'returned')) returning i.rail)
      select i.reference_no from lease left join rail_instructions i
        on i.rail = $1 and i.reference_no = any($4::text[]) and i.awaited_until > $8::timestamptz`,
    values: [
      rail,
      holder,
      fence,
      reports.map(({ referenceNo }) => referenceNo),
      reports.map(({ state }) => state),
      reports.map(({ rejection }) => rejection ?? null),
      reports.map(({ traceNo }) => traceNo ?? null),
      new Date(now).toISOString(),
    ],
  });
  return rows.length === 0 ? undefined : rows.flatMap(([referenceNo]) => referenceNo ?? []);
}

/** The report that stands of each number: an update takes any one of several. */
function oneOfEach(reports: readonly ReportedInstruction[]): readonly ReportedInstruction[] {
  const standing = new Map<string, ReportedInstruction>();
  for (const report of reports) {
    const before = standing.get(report.referenceNo);
    if (before === undefined || (before.state === "settled" && report.state === "returned"))
      standing.set(report.referenceNo, report);
  }
  return [...standing.values()];
}
