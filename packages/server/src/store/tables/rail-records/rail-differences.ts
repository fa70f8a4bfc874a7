/**
 * Differences between a rail's directory and the database: kept as reviews find them, until an operator decides on each
 * (rail-decisions.ts). Lists are read page by page.
 */
import type { Pool, PoolClient } from "pg";
import type { RailName } from "../../../ledger/rails/terms.ts";
import { queryRows } from "../../postgres/query-rows.ts";
import type { TextRow } from "../../postgres/session.ts";

/** ahead: a file has the line, and the database has forgotten it · behind: the database has it as written, and no file has it. */
export const differenceKinds = ["ahead", "behind"] as const;

export type DifferenceKind = (typeof differenceKinds)[number];

/** `carried`: of both kinds · `adopted`, `not_carried`: of what is ahead · `export_again`: of what is behind. */
export type DifferenceDecision = "adopted" | "not_carried" | "carried" | "export_again";

export interface FoundDifference {
  readonly referenceNo: string;
  readonly sequence: number;
  readonly kind: DifferenceKind;
  /** JSON text: all of the line; behind: what the database has of it. */
  readonly line: string;
  /** Where it stands, the line from 1; undefined: behind. */
  readonly place?: { readonly file: string; readonly line: number } | undefined;
}

export interface RailDifferenceRow extends FoundDifference {
  readonly id: number;
  readonly rail: RailName;
  /** Real time (epoch ms), as `decidedAt`. */
  readonly foundAt: number;
  /** Undefined: open. */
  readonly decision: DifferenceDecision | undefined;
  readonly reason: string | undefined;
  readonly decidedAt: number | undefined;
}

/**
 * Keeps what a review found, each once. A rail whose directory is ahead is stopped by it, and nodes answer inquiries alone,
 * until an operator opens it.
 */
export async function recordDifferences(
  pool: Pool,
  rail: RailName,
  found: readonly FoundDifference[],
  now: number,
): Promise<void> {
  if (found.length === 0) return;
  await queryRows(pool, {
    name: "record-rail-differences",
    text: `with recorded as (
        insert into rail_differences (rail, reference_no, sequence, kind, line, file, file_line, found_at)
          select $1::text, number, sequence, kind, line, file, file_line, $2::timestamptz
          from unnest($3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::bigint[])
            f (number, sequence, kind, line, file, file_line)
        on conflict do nothing returning kind)
      update rail_leases set ahead_since = coalesce(ahead_since, $2::timestamptz),
          stopped_because = coalesce(stopped_because, 'the directory is ahead')
        where rail = $1 and exists (select from recorded where kind = 'ahead')`,
    values: [
      rail,
      new Date(now).toISOString(),
      found.map(({ referenceNo }) => referenceNo),
      found.map(({ sequence }) => sequence),
      found.map(({ kind }) => kind),
      found.map(({ line }) => line),
      found.map(({ place }) => place?.file ?? null),
      found.map(({ place }) => place?.line ?? null),
    ],
  });
}

/** Their lines are in the directory: it was given back its files. What is decided stays. */
export async function forgetFoundAgain(pool: Pool, rail: RailName, numbers: readonly string[]): Promise<void> {
  if (numbers.length === 0) return;
  await queryRows(pool, {
    name: "forget-differences-found-again",
    text: `delete from rail_differences
      where rail = $1 and reference_no = any($2::text[]) and kind = 'behind' and decision is null`,
    values: [rail, numbers],
  });
}

/**
 * Lines of these numbers that an operator decided on as not carried, or as carried: what stands in a file of them says nothing, but
 * of an instruction of their sequence.
 */
export async function listDecided(
  pool: Pool,
  rail: RailName,
  numbers: readonly string[],
): Promise<readonly Pick<RailDifferenceRow, "referenceNo" | "sequence">[]> {
  const rows = await queryRows(pool, {
    name: "list-decided-lines",
    text: `select reference_no, sequence from rail_differences
      where rail = $1 and reference_no = any($2::text[]) and kind = 'ahead'
        and decision in ('not_carried', 'carried')`,
    values: [rail, numbers],
  });
  return rows.map(([referenceNo, sequence]) => ({ referenceNo: referenceNo as string, sequence: Number(sequence) }));
}

const columns = `id, rail, reference_no, sequence, kind, line, file, file_line, date_part('epoch', found_at) * 1000,
  decision, reason, date_part('epoch', decided_at) * 1000`;

function readRow(row: TextRow): RailDifferenceRow {
  const [id, rail, referenceNo, sequence, kind, line, file, fileLine, foundAt, decision, reason, decidedAt] = row;
  return {
    id: Number(id),
    rail: rail as RailName,
    referenceNo: referenceNo as string,
    sequence: Number(sequence),
    kind: kind as DifferenceKind,
    line: line as string,
    place: file == null ? undefined : { file, line: Number(fileLine) },
    foundAt: Math.round(Number(foundAt)),
    decision: (decision as DifferenceDecision | null) ?? undefined,
    reason: reason ?? undefined,
    decidedAt: decidedAt == null ? undefined : Math.round(Number(decidedAt)),
  };
}

/** The open one of the number, else the newest; undefined: there is none. */
export async function findDifference(
  client: Pool | PoolClient,
  rail: RailName,
  referenceNo: string,
): Promise<RailDifferenceRow | undefined> {
  const [row] = await queryRows(client, {
    name: "find-rail-difference",
    text: `select ${columns} from rail_differences where rail = $1 and reference_no = $2
      order by decision is null desc, id desc limit 1`,
    values: [rail, referenceNo],
  });
  return row && readRow(row);
}

/** Those behind an id (from 0), in the order in which they were found; `limit` at most. */
export async function listDifferences(
  pool: Pool,
  rail: RailName,
  { behind, limit }: { readonly behind: number; readonly limit: number },
): Promise<readonly RailDifferenceRow[]> {
  const rows = await queryRows(pool, {
    name: "list-rail-differences",
    text: `select ${columns} from rail_differences where rail = $1 and id > $2::bigint order by id limit $3::int`,
    values: [rail, behind, limit],
  });
  return rows.map(readRow);
}

/** Open lines of items of one bulk (id), which only a line of this release names. */
export async function listAheadOfBulk(
  pool: Pool,
  rail: RailName,
  bulk: string,
): Promise<readonly { readonly referenceNo: string; readonly line: string }[]> {
  const rows = await queryRows(pool, {
    name: "list-lines-ahead-of-bulk",
    text: `select reference_no, line from rail_differences
      where rail = $1 and kind = 'ahead' and decision is null and line::json #>> '{bulk,id}' = $2 order by id`,
    values: [rail, bulk],
  });
  return rows.map(([referenceNo, line]) => ({ referenceNo: referenceNo as string, line: line as string }));
}

export interface DifferenceCount {
  readonly rail: string;
  readonly kind: string;
  readonly count: number;
}

/** Open ones. */
export async function countDifferences(pool: Pool): Promise<readonly DifferenceCount[]> {
  const rows = await queryRows(pool, {
    name: "count-rail-differences",
    text: "select rail, kind, count(*) from rail_differences where decision is null group by rail, kind",
  });
  return rows.map(([rail, kind, count]) => ({ rail: rail as string, kind: kind as string, count: Number(count) }));
}
