/** Leases of rails with one writer: which node exports instructions and imports results. Times are the database's. */
import type { Pool } from "pg";
import type { RailName } from "../../../ledger/rails/terms.ts";
import { queryRows } from "../../postgres/query-rows.ts";

/** A lease as its holder names it: every statement of the exporter looks at all of it. */
export interface LeaseTerms {
  readonly rail: RailName;
  /** Id of the instance. */
  readonly holder: string;
  /** Fencing number. */
  readonly fence: number;
}

export interface TakenLease {
  readonly fence: number;
  /** The last that was given. */
  readonly sequence: number;
}

/** The row of the rail is made once. */
export async function addLease(pool: Pool, rail: RailName): Promise<void> {
  await queryRows(pool, {
    name: "add-rail-lease",
    text: "insert into rail_leases (rail) values ($1) on conflict (rail) do nothing",
    values: [rail],
  });
}

/** Undefined: another instance has it. A clock of the database that went back frees one that seems to last for hours. */
export async function takeLease(
  pool: Pool,
  { rail, holder, forMs }: { readonly rail: RailName; readonly holder: string; readonly forMs: number },
): Promise<TakenLease | undefined> {
  const [row] = await queryRows(pool, {
    name: "take-rail-lease",
    text: `update rail_leases set holder = $2::uuid, fence = fence + 1,
        expires_at = statement_timestamp() + $3::float8 * interval '1 millisecond'
      where rail = $1 and (expires_at < statement_timestamp() or expires_at > statement_timestamp() + interval '1 minute')
      returning fence, sequence`,
    values: [rail, holder, forMs],
  });
  if (row === undefined) return undefined;
  const [fence, sequence] = row.map(Number) as [number, number];
  return { fence, sequence };
}

/** The last sequence that was given; undefined: another instance has it. */
export async function renewLease(
  pool: Pool,
  { rail, holder, fence }: LeaseTerms,
  forMs: number,
): Promise<number | undefined> {
  const [row] = await queryRows(pool, {
    name: "renew-rail-lease",
    text: `update rail_leases set expires_at = statement_timestamp() + $4::float8 * interval '1 millisecond'
      where rail = $1 and holder = $2::uuid and fence = $3::bigint returning sequence`,
    values: [rail, holder, fence, forMs],
  });
  return row && Number(row[0]);
}

/** Another instance can take it at once. */
export async function giveBackLease(pool: Pool, { rail, holder, fence }: LeaseTerms): Promise<void> {
  await queryRows(pool, {
    name: "give-back-rail-lease",
    text: `update rail_leases set holder = null, expires_at = '-infinity'
      where rail = $1 and holder = $2::uuid and fence = $3::bigint`,
    values: [rail, holder, fence],
  });
}

export interface LeaseState {
  readonly fence: number;
  /** True: its holder has compared the directory. */
  readonly isCompared: boolean;
  /** Later with each renewal (epoch seconds); -Infinity: it was given back. */
  readonly expiresAt: number;
}

/** Undefined: nobody has asked for it ever. */
export async function readLease(pool: Pool, rail: RailName): Promise<LeaseState | undefined> {
  const [row] = await queryRows(pool, {
    name: "read-rail-lease",
    text: "select fence, compared_fence = fence, extract(epoch from expires_at) from rail_leases where rail = $1",
    values: [rail],
  });
  if (row === undefined) return undefined;
  const [fence, isCompared, expiresAt] = row;
  return { fence: Number(fence), isCompared: isCompared === "t", expiresAt: Number(expiresAt) };
}

/** Stores the reason why nothing is exported; undefined: it is. False: another instance has the lease. */
export async function stopExport(
  pool: Pool,
  { rail, holder, fence }: LeaseTerms,
  because: string | undefined,
): Promise<boolean> {
  const rows = await queryRows(pool, {
    name: "stop-rail-export",
    text: `update rail_leases set stopped_because = $4, compared_fence = fence
      where rail = $1 and holder = $2::uuid and fence = $3::bigint returning rail`,
    values: [rail, holder, fence, because],
  });
  return rows.length > 0;
}

export interface ReviewedLease {
  readonly sequence: number;
  readonly releasedSequence: number;
  /** True: the rail waits for an operator to open it. */
  readonly isAhead: boolean;
  /** The first sequence that was written since; undefined: none was. */
  readonly first: number | undefined;
  /** True: the directory lacked lines when it was reviewed before. */
  readonly wasBehind: boolean;
}

/** Where a review of the directory begins: of what was written since (epoch ms; undefined: ever). */
export async function readForReview(pool: Pool, rail: RailName, since: number | undefined): Promise<ReviewedLease> {
  const [row] = await queryRows(pool, {
    name: "read-lease-for-review",
    text: `select sequence, released_sequence, ahead_since is not null,
        -- By time: in the order of sequences all that was written before would be read.
        (select min(i.sequence + 0) from rail_instructions i where i.rail = l.rail
          and i.written_at >= coalesce($2::timestamptz, '-infinity')),
        exists (select from rail_differences d where d.rail = l.rail and d.kind = 'behind' and d.decision is null)
      from rail_leases l where rail = $1`,
    values: [rail, since === undefined ? null : new Date(since).toISOString()],
  });
  const [sequence, releasedSequence, isAhead, first, wasBehind] = row ?? [];
  return {
    sequence: Number(sequence),
    releasedSequence: Number(releasedSequence),
    isAhead: isAhead === "t",
    first: first == null ? undefined : Number(first),
    wasBehind: wasBehind === "t",
  };
}

/** Nothing that was written so far is expected in the directory any more. */
export async function releaseWritten(pool: Pool, rail: RailName): Promise<void> {
  await queryRows(pool, {
    name: "release-written",
    text: `with missed as (
        delete from rail_differences where rail = $1 and kind = 'behind' and decision is null)
      update rail_leases set released_sequence = sequence where rail = $1`,
    values: [rail],
  });
}

export interface StoppedRail {
  readonly rail: string;
  readonly because: string;
  /** True: its directory is ahead, and it waits for an operator to open it. */
  readonly isAhead: boolean;
}

export async function listStopped(pool: Pool): Promise<readonly StoppedRail[]> {
  const rows = await queryRows(pool, {
    name: "list-stopped-rails",
    text: `select rail, stopped_because, ahead_since is not null from rail_leases
      where stopped_because is not null order by rail`,
  });
  return rows.map(([rail, because, isAhead]) => ({
    rail: rail as string,
    because: because as string,
    isAhead: isAhead === "t",
  }));
}
