/** Decisions of an operator on differences between a rail's directory and the database: administration writes them. */
import type { Pool, PoolClient } from "pg";
import type { RailName } from "../../../ledger/rails/terms.ts";
import { queryRows } from "../../postgres/query-rows.ts";
import type { DifferenceDecision, DifferenceKind, RailDifferenceRow } from "./rail-differences.ts";

/** Kinds of differences that each is decided of. */
export const kindsOfDecision: Readonly<Record<DifferenceDecision, readonly DifferenceKind[]>> = {
  adopted: ["ahead"],
  not_carried: ["ahead"],
  carried: ["ahead", "behind"],
  export_again: ["behind"],
};

export interface Decision {
  readonly referenceNo: string;
  readonly decision: DifferenceDecision;
  readonly reason: string;
  /** Real time (epoch ms). */
  readonly at: number;
}

/**
 * Decides on the open difference of a number, on a pool or inside a transaction: of two that do so at once, one does. False:
 * none is open, or it is of the other kind.
 */
export async function decideDifference(
  client: Pool | PoolClient,
  rail: RailName,
  { referenceNo, decision, reason, at }: Decision,
): Promise<boolean> {
  const rows = await queryRows(client, {
    name: "decide-rail-difference",
    text: `update rail_differences set decision = $4, reason = $5, decided_at = $6::timestamptz
      where rail = $1 and reference_no = $2 and kind = any($3::text[]) and decision is null returning id`,
    values: [rail, referenceNo, kindsOfDecision[decision], decision, reason, new Date(at).toISOString()],
  });
  return rows.length > 0;
}

export interface TakenByOthers {
  readonly key: boolean;
  readonly sequence: boolean;
}

/** True when the key, or the sequence, of a line is another number's, which the rail was handed or is to be handed. */
export async function findTakenByOthers(
  client: PoolClient,
  rail: RailName,
  { referenceNo, sequence }: Pick<RailDifferenceRow, "referenceNo" | "sequence">,
  key: string | undefined,
): Promise<TakenByOthers> {
  const [row] = await queryRows(client, {
    name: "find-taken-by-others",
    text: `select exists (select from rail_instructions where rail = $1 and reference_no <> $2 and idempotency_key = $3
          and (sequence is not null or written_at is not null)),
        exists (select from rail_instructions where rail = $1 and reference_no <> $2 and sequence = $4::bigint)`,
    values: [rail, referenceNo, key ?? null, sequence],
  });
  return { key: row?.[0] === "t", sequence: row?.[1] === "t" };
}

/**
 * Lets a rail go on behind all that its directory has, or had when it was decided on: no sequence of it is given again, and the
 * next holder of the lease compares anew. One that is not stopped keeps its holder. Returns the sequence that it goes on behind;
 * undefined: a difference is open.
 */
export async function openRail(pool: Pool, rail: RailName, sequence: number): Promise<number | undefined> {
  const [row] = await queryRows(pool, {
    name: "open-rail",
    text: `update rail_leases set ahead_since = null, stopped_because = null, sequence = greatest(sequence, $2::bigint,
          (select max(sequence) from rail_differences where rail = $1 and kind = 'ahead')),
        compared_fence = case when stopped_because is null then compared_fence else fence end,
        holder = case when stopped_because is null then holder end,
        expires_at = case when stopped_because is null then expires_at else '-infinity' end
      where rail = $1 and not exists (select from rail_differences where rail = $1 and decision is null) returning sequence`,
    values: [rail, sequence],
  });
  return row && Number(row[0]);
}

/**
 * Lets an instruction count as unwritten: its transfer's next submission has it written again, with its number, key and
 * sequence. False: something was reported of it, or its transfer has ended (`transferId`). Behind its decision, in one transaction.
 */
export async function exportAgain(
  client: PoolClient,
  rail: RailName,
  { referenceNo, transferId, at }: Pick<Decision, "referenceNo" | "at"> & { readonly transferId: string | undefined },
): Promise<boolean> {
  const rows = await queryRows(client, {
    name: "export-instruction-again",
    // Expired: it is written by another submission alone, of a transfer that is still open then.
    text: `update rail_instructions set written_at = null, fence = null, valid_until = least(valid_until, $4::timestamptz)
      where rail = $1 and reference_no = $2 and written_at is not null and state is null
        and not exists (select from transfers where id = $3::uuid and not is_open) returning rail`,
    values: [rail, referenceNo, transferId, new Date(at).toISOString()],
  });
  return rows.length > 0;
}
