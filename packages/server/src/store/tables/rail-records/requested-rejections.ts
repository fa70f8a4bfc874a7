/** Operators' requests to reject items of bulks that were never submitted: the rail is inquired of before. */
import type { Pool } from "pg";
import { queryRows } from "../../postgres/query-rows.ts";

/**
 * Requests the rejection of a queued item: it is due for an inquiry, no claim of items submits it any more, and
 * reconciliation rejects it instead of submitting it. Nothing where it is not queued any more. `actId`: the approved act, the newest counts; nothing again for the same one, so that the rail is asked no oftener. `now`: business time (epoch ms).
 */
export async function requestRejection(pool: Pool, transferId: string, actId: string, now: number): Promise<void> {
  await queryRows(pool, {
    name: "request-rejection",
    text: `with due as (
        update transfers set next_inquiry_at = least(next_inquiry_at, $2::timestamptz)
        where id = $1::uuid and bulk_id is not null and state = 'queued'
          and not exists (select from requested_rejections where transfer_id = $1::uuid and act_id = $3::uuid) returning id)
      insert into requested_rejections (transfer_id, requested_at, act_id) select id, $2::timestamptz, $3::uuid from due
      on conflict (transfer_id) do update set act_id = excluded.act_id`,
    values: [transferId, new Date(now).toISOString(), actId],
  });
}
