/** Results of rails that could not be recorded: each once, until an operator has seen to it. */
import type { Pool } from "pg";
import type { RailName } from "../../../ledger/rails/terms.ts";
import type { Moment } from "../../../basics/clock.ts";
import { claimRows } from "../../postgres/claim-rows.ts";
import type { ConfirmedCommit } from "../../postgres/confirmation/confirmed-commit.ts";
import { queryRows } from "../../postgres/query-rows.ts";
import type { TextRow } from "../../postgres/session.ts";

/** unknown: no transfer of the rail has the number · conflict: the transfer has another final result. */
export const setAsideReasons = ["unknown", "conflict"] as const;

export type SetAsideReason = (typeof setAsideReasons)[number];

export interface SetAsideResult {
  readonly rail: RailName;
  /** Printable, and at most 64 characters. */
  readonly referenceNo: string;
  /** As reported: settled, rejected, pending or returned. */
  readonly state: string;
  readonly reason: SetAsideReason;
  readonly traceNo?: string | undefined;
  /** Business time (epoch ms). */
  readonly at: number;
}

export interface KeptResult {
  /** False: it was kept before. */
  readonly isNew: boolean;
  /** When it was kept first (epoch ms). */
  readonly keptAt: number;
  /** Undefined: a failover may lose it, and it must not be acknowledged. */
  readonly commit: ConfirmedCommit | undefined;
}

/** No record has it. A null there, which is equal to nothing, would make Citus leave the whole statement out. */
const noId = "00000000-0000-0000-0000-000000000000";

/**
 * Keeps a result, unless its rail has the transfer of the id `unlessKnown`: undefined then. One that was kept before is written
 * again: only its own commit proves that the standby has it.
 */
export async function keepSetAside(
  pool: Pool,
  { rail, referenceNo, state, reason, traceNo, at }: SetAsideResult,
  unlessKnown: string | undefined,
  sentAt: Moment,
): Promise<KeptResult | undefined> {
  const claim = {
    name: "keep-set-aside-result",
    text: `with kept as (
        insert into set_aside_results (rail, reference_no, state, reason, trace_no, set_aside_at)
        select $1::text, $2::text, $3::text, $4::text, $5::text, $6::timestamptz
        where not exists (select from transfers where id = coalesce($7::uuid, '${noId}') and rail = $1)
        on conflict (rail, reference_no, state) do update set closed_at = set_aside_results.closed_at
        returning xmax = 0 as is_new, set_aside_at)
      select is_new, date_part('epoch', set_aside_at) * 1000 from kept`,
    values: [rail, referenceNo, state, reason, traceNo, new Date(at).toISOString(), unlessKnown],
  };
  const { rows, commit } = await claimRows(pool, claim, sentAt);
  return rows[0] && { isNew: rows[0][0] === "t", keptAt: Math.round(Number(rows[0][1])), commit };
}

/** Those that no operator has seen to, the oldest first; at most `limit`. */
export async function listSetAside(pool: Pool, limit: number): Promise<readonly SetAsideResult[]> {
  const rows = await queryRows(pool, {
    name: "list-set-aside-results",
    text: `select rail, reference_no, state, reason, trace_no, date_part('epoch', set_aside_at) * 1000 from set_aside_results
      where closed_at is null order by set_aside_at, rail, reference_no, state limit $1::int`,
    values: [limit],
  });
  return rows.map(readRow);
}

/** Those of the numbers, also those that are closed. */
export async function findSetAside(
  pool: Pool,
  rail: RailName,
  numbers: readonly string[],
): Promise<readonly SetAsideResult[]> {
  const rows = await queryRows(pool, {
    name: "find-set-aside-results",
    text: `select rail, reference_no, state, reason, trace_no, date_part('epoch', set_aside_at) * 1000 from set_aside_results
      where rail = $1 and reference_no = any($2::text[]) order by set_aside_at, reference_no, state`,
    values: [rail, numbers],
  });
  return rows.map(readRow);
}

function readRow([rail, referenceNo, state, reason, traceNo, at]: TextRow): SetAsideResult {
  return {
    rail: rail as RailName,
    referenceNo: referenceNo as string,
    state: state as string,
    reason: reason as SetAsideReason,
    traceNo: traceNo ?? undefined,
    at: Number(at),
  };
}

export interface SetAsideCount {
  readonly rail: string;
  readonly reason: string;
  readonly count: number;
}

export async function countSetAside(pool: Pool): Promise<readonly SetAsideCount[]> {
  const rows = await queryRows(pool, {
    name: "count-set-aside-results",
    text: "select rail, reason, count(*) from set_aside_results where closed_at is null group by rail, reason",
    values: [],
  });
  return rows.map(([rail, reason, count]) => ({
    rail: rail as string,
    reason: reason as string,
    count: Number(count),
  }));
}

/** An operator has seen to the result by `at` (epoch ms). False: none is open. */
export async function closeSetAside(
  pool: Pool,
  { rail, referenceNo, state, at }: Pick<SetAsideResult, "rail" | "referenceNo" | "state" | "at">,
): Promise<boolean> {
  const rows = await queryRows(pool, {
    name: "close-set-aside-result",
    text: `update set_aside_results set closed_at = $4::timestamptz
      where rail = $1 and reference_no = $2 and state = $3 and closed_at is null returning rail`,
    values: [rail, referenceNo, state, new Date(at).toISOString()],
  });
  return rows.length > 0;
}
