/** Results of a bulk's items, for its notification (spec D13). */
import type { Pool } from "pg";
import type { CallRejectionKind } from "../../ledger/rejection.ts";
import { queryRows } from "../postgres/query-rows.ts";

export interface ItemResult {
  readonly partnerReferenceNo: string;
  /** Rejection of an item by its rail; undefined: it settled, though it may be returned since. */
  readonly rejection: CallRejectionKind | undefined;
}

/** Results of all items of a bulk that has ended, in the order of its request. */
export async function listItemResults(pool: Pool, bulk: string): Promise<readonly ItemResult[]> {
  const rows = await queryRows(pool, {
    name: "list-item-results",
    text: `select r.payload::json #>> '{request,partnerReferenceNo}',
        case when t.state = 'rejected' then coalesce(t.reject_reason, 'rejectedByRail') end
      from transfers t cross join lateral (select payload from accepted_requests where id = t.id limit 1) r where t.bulk_id = $1::uuid order by t.bulk_position`,
    values: [bulk],
  });
  return rows.map(([number, rejection]) => ({
    partnerReferenceNo: number as string,
    rejection: (rejection ?? undefined) as CallRejectionKind | undefined,
  }));
}
