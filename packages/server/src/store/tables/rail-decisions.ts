/** What an operator decides of the differences between a rail's directory and the database. Administration alone writes it. */
import type { Pool, PoolClient } from "pg";
import type { RailName } from "../../ledger/rails/terms.ts";
import { queryRows } from "../postgres/query-rows.ts";
import type { DifferenceDecision, DifferenceKind } from "./rail-differences.ts";

/** What each is decided of. */
export const kindOfDecision: Readonly<Record<DifferenceDecision, DifferenceKind>> = {
  adopted: "ahead",
  not_carried: "ahead",
  carried: "behind",
  export_again: "behind",
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
      where rail = $1 and reference_no = $2 and kind = $3 and decision is null returning id`,
    values: [rail, referenceNo, kindOfDecision[decision], decision, reason, new Date(at).toISOString()],
  });
  return rows.length > 0;
}

/**
 * Lets an instruction count as unwritten: its transfer's next submission has it written again, with its number, key and
 * sequence. False: something was reported of it, or its transfer has ended (`transferId`). Behind its decision, in one transaction.
 */
export async function exportAgain(
  client: PoolClient,
  rail: RailName,
  { referenceNo, transferId }: { readonly referenceNo: string; readonly transferId: string | undefined },
): Promise<boolean> {
  const rows = await queryRows(client, {
    name: "export-instruction-again",
    text: `update rail_instructions set written_at = null, fence = null
      where rail = $1 and reference_no = $2 and written_at is not null and state is null
        and not exists (select from transfers where id = $3::uuid and not is_open) returning rail`,
    values: [rail, referenceNo, transferId],
  });
  return rows.length > 0;
}
