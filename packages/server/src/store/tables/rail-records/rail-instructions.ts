/** Instructions to rails with one writer, as any node asks for their export and looks at them. */
import type { Pool, PoolClient } from "pg";
import type { RailName } from "../../../ledger/rails/terms.ts";
import { queryRows } from "../../postgres/query-rows.ts";
import type { TextRow } from "../../postgres/session.ts";

export interface NewRailInstruction {
  readonly referenceNo: string;
  readonly idempotencyKey: string;
  /** JSON text. */
  readonly terms: string;
  /** ISO 8601. */
  readonly validUntil: string;
  /** ISO 8601; undefined: no caller waits for its result. */
  readonly awaitedUntil: string | undefined;
}

export interface RailInstructionRow {
  readonly referenceNo: string;
  readonly idempotencyKey: string | undefined;
  readonly terms: string;
  /** Epoch ms. */
  readonly validUntil: number;
  readonly sequence: number | undefined;
  readonly isWritten: boolean;
  readonly state: string | undefined;
  readonly rejection: string | undefined;
  readonly traceNo: string | undefined;
}

/** Asks for their export, unless there is one of the number or the key, or the rail is stopped. */
export async function askForExport(
  pool: Pool,
  rail: RailName,
  instructions: readonly NewRailInstruction[],
): Promise<void> {
  // In one order: of two nodes that ask for the same ones, one waits for the other.
  const sorted = instructions.toSorted((a, b) => (a.referenceNo < b.referenceNo ? -1 : 1));
  await queryRows(pool, {
    name: "ask-for-export",
    text: `insert into rail_instructions (rail, reference_no, idempotency_key, terms, valid_until, awaited_until)
      select $1::text, asked.*
      from unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[]) asked
      where not exists (select from rail_leases where rail = $1 and stopped_because is not null)
      on conflict do nothing`,
    values: [
      rail,
      sorted.map(({ referenceNo }) => referenceNo),
      sorted.map(({ idempotencyKey }) => idempotencyKey),
      sorted.map(({ terms }) => terms),
      sorted.map(({ validUntil }) => validUntil),
      sorted.map(({ awaitedUntil }) => awaitedUntil ?? null),
    ],
  });
}

const columns = `i.reference_no, i.idempotency_key, i.terms, extract(epoch from i.valid_until) * 1000, i.sequence,
  i.written_at is not null, i.state, i.rejection, i.trace_no`;

export interface FoundInstructions {
  /** Reason why the rail is stopped; undefined: it is not. */
  readonly stoppedBecause: string | undefined;
  /**
   * True: the holder of the lease has compared the directory; until then the database may have forgotten some of it.
   */
  readonly isCompared: boolean;
  readonly instructions: readonly RailInstructionRow[];
}

/** Those of the numbers, and those of the keys. */
export async function findRailInstructions(
  pool: Pool,
  rail: RailName,
  { numbers, keys = [] }: { readonly numbers: readonly string[]; readonly keys?: readonly string[] },
): Promise<FoundInstructions> {
  const rows = await queryRows(pool, {
    name: "find-rail-instructions",
    text: `select l.stopped_because, l.compared_fence = l.fence, ${columns} from (select $1::text as rail) asked
      left join rail_leases l on l.rail = asked.rail
      left join lateral (select * from rail_instructions where rail = $1 and reference_no = any($2::text[])
        union select * from rail_instructions where rail = $1 and idempotency_key = any($3::text[])) i on true`,
    values: [rail, numbers, keys],
  });
  const found = rows.map((row) => row.slice(2)).filter(([referenceNo]) => referenceNo != null);
  const [stoppedBecause, isCompared] = rows[0] ?? [];
  return {
    stoppedBecause: stoppedBecause ?? undefined,
    isCompared: isCompared === "t",
    instructions: found.map(readRow),
  };
}

function readRow(row: TextRow): RailInstructionRow {
  const [referenceNo, idempotencyKey, terms, validUntil, sequence, isWritten, state, rejection, traceNo] = row;
  return {
    referenceNo: referenceNo as string,
    idempotencyKey: idempotencyKey ?? undefined,
    terms: terms as string,
    validUntil: Number(validUntil),
    sequence: sequence == null ? undefined : Number(sequence),
    isWritten: isWritten === "t",
    state: state ?? undefined,
    rejection: rejection ?? undefined,
    traceNo: traceNo ?? undefined,
  };
}

export type ReportedRow = Pick<RailInstructionRow, "referenceNo" | "state" | "rejection" | "traceNo">;

/** Those of the numbers whose final state was reported. */
export async function findReported(
  pool: Pool,
  rail: RailName,
  numbers: readonly string[],
): Promise<readonly ReportedRow[]> {
  const rows = await queryRows(pool, {
    name: "find-rail-reports",
    text: `select reference_no, state, rejection, trace_no from rail_instructions
      where rail = $1 and reference_no = any($2::text[]) and state is not null`,
    values: [rail, numbers],
  });
  return rows.map(([referenceNo, state, rejection, traceNo]) => ({
    referenceNo: referenceNo as string,
    state: state ?? undefined,
    rejection: rejection ?? undefined,
    traceNo: traceNo ?? undefined,
  }));
}

/** Asks again for one that expired (by `now`) before it was written: it keeps its sequence, if it has one. */
export async function askAgain(
  pool: Pool,
  rail: RailName,
  { referenceNo, validUntil, now }: { readonly referenceNo: string; readonly validUntil: string; readonly now: number },
): Promise<void> {
  await queryRows(pool, {
    name: "ask-for-export-again",
    text: `update rail_instructions set valid_until = $3::timestamptz, fence = null
      where rail = $1 and reference_no = $2 and written_at is null
        and valid_until < least($3::timestamptz, $4::timestamptz)`,
    values: [rail, referenceNo, validUntil, new Date(now).toISOString()],
  });
}

/** True: it has no sequence and gets none any more, so that no line of it is ever written for who asked so far. */
export async function withdrawInstruction(pool: Pool, rail: RailName, referenceNo: string): Promise<boolean> {
  const rows = await queryRows(pool, {
    name: "withdraw-rail-instruction",
    text: `delete from rail_instructions where rail = $1 and reference_no = $2 and sequence is null and written_at is null
      returning rail`,
    values: [rail, referenceNo],
  });
  return rows.length > 0;
}

export interface WrittenRange {
  /** Behind this sequence, up to that one. */
  readonly behind: number;
  readonly upTo: number;
  /** Written from then on, and before then (epoch ms); undefined: at any time. */
  readonly since: number | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}

/** Written instructions by sequence, but those that an operator knows to be in no file. */
export async function listWritten(
  pool: Pool,
  rail: RailName,
  { behind, upTo, since, before, limit }: WrittenRange,
): Promise<readonly RailInstructionRow[]> {
  const rows = await queryRows(pool, {
    name: "list-written-instructions",
    text: `select ${columns} from rail_instructions i
      where rail = $1 and sequence > $2::bigint and sequence <= $3::bigint
        and written_at >= coalesce($4::timestamptz, '-infinity') and written_at < coalesce($5::timestamptz, 'infinity')
        and not exists (select from rail_differences d where d.rail = i.rail and d.reference_no = i.reference_no
          and d.kind = 'behind' and d.decision = 'carried')
      order by sequence limit $6::int`,
    values: [rail, behind, upTo, timeOf(since), timeOf(before), limit],
  });
  return rows.map(readRow);
}

function timeOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}

/** Their lines are in the directory: who was to record it did not come to it. */
export async function recordFoundLines(
  pool: Pool,
  rail: RailName,
  numbers: readonly string[],
  now: number,
): Promise<void> {
  if (numbers.length === 0) return;
  await queryRows(pool, {
    name: "record-found-lines",
    // Not later than it could be: the review of a day expects what was written on it.
    text: `update rail_instructions set written_at = least($3::timestamptz, valid_until)
      where rail = $1 and reference_no = any($2::text[]) and sequence is not null and written_at is null`,
    values: [rail, numbers, new Date(now).toISOString()],
  });
}

export interface HandedOverInstruction {
  readonly referenceNo: string;
  readonly idempotencyKey: string | undefined;
  readonly terms: string;
  readonly sequence: number | undefined;
  /** About when (epoch ms). */
  readonly writtenAt: number;
}

/**
 * Records lines that a directory has and the database does not. What only waits under one of their keys is withdrawn: it is
 * the same instruction.
 */
export async function recordHandedOver(
  pool: Pool | PoolClient,
  rail: RailName,
  lines: readonly HandedOverInstruction[],
): Promise<void> {
  const numbers = lines.map(({ referenceNo }) => referenceNo);
  const keys = lines.map(({ idempotencyKey }) => idempotencyKey ?? null);
  await queryRows(pool, {
    name: "withdraw-handed-over-keys",
    text: `delete from rail_instructions where rail = $1 and sequence is null and written_at is null
      and idempotency_key = any($2::text[]) and reference_no <> all($3::text[])`,
    values: [rail, keys, numbers],
  });
  const sequences = lines.map(({ sequence }) => sequence ?? null);
  const times = lines.map(({ writtenAt }) => new Date(writtenAt).toISOString());
  await queryRows(pool, {
    name: "record-handed-over",
    text: `with handed_over as (
        insert into rail_instructions (rail, reference_no, idempotency_key, terms, valid_until, sequence, written_at)
          select $1::text, number, key, terms, written_at, sequence, written_at
          from unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::timestamptz[])
            l (number, key, terms, sequence, written_at)
        on conflict (rail, reference_no) do update set written_at = excluded.written_at,
            sequence = coalesce(rail_instructions.sequence, excluded.sequence)
          where rail_instructions.written_at is null)
      update rail_leases set sequence = greatest(sequence, (select max(sequence) from unnest($5::bigint[]) s (sequence)))
      where rail = $1`,
    values: [rail, numbers, keys, lines.map(({ terms }) => terms), sequences, times],
  });
}
