/**
 * Gives up external ids whose time is over, slice by slice along the accepted requests, from where the last slice ended: that
 * is kept with each slice, in its statement. Two nodes at once give up the same ones.
 */
import type { Pool } from "pg";
import { idAt } from "../../../basics/ids.ts";
import { queryRows } from "../../postgres/query-rows.ts";

/** SQL of the id up to which external ids may be given up; null: none was. */
export const releasedUntil = "(select (value #>> '{}')::uuid from service_state where name = 'external_ids_released')";

export interface OldRequests {
  /** Accepted before this business time (epoch ms) … */
  readonly acceptedBefore: number;
  /** … with an id made before this real time (epoch ms). */
  readonly madeBefore: number;
  /** Business time (epoch ms). */
  readonly now: number;
}

export interface ReleasedSlice {
  /** Requests that were gone through; fewer than wanted: there are no more. */
  readonly requests: number;
  /** External ids that were given up. One of a request that is still open, or that has been taken again, was not. */
  readonly released: number;
}

export async function releaseOldExternalIds(
  pool: Pool,
  { acceptedBefore, madeBefore, now }: OldRequests,
  limit: number,
): Promise<ReleasedSlice> {
  const [row = []] = await queryRows(pool, {
    name: "release-old-external-ids",
    text: `with slice as materialized (
        select id, external_id_key, accepted_at from accepted_requests
        where id > coalesce(${releasedUntil}, '00000000-0000-0000-0000-000000000000') and id < $1::uuid
        order by id limit $4::int),
      over as (
        select s.id, s.external_id_key from slice s where s.external_id_key is not null and s.accepted_at < $2::timestamptz
          and not exists (select from transfers t where t.id = s.id and t.is_open)
          and not exists (select from bulks b where b.id = s.id and b.is_open)
          and not exists (select from payment_requests p where p.id = s.id and p.state = 'waiting' and p.expires_at > $3::timestamptz)
        order by s.external_id_key),
      released as (
        delete from request_keys k using over where k.key = over.external_id_key and k.request_id = over.id returning 1),
      reached as (
        insert into service_state as kept (name, value)
        select 'external_ids_released', to_json(id) from slice order by id desc limit 1
        on conflict (name) do update set value = excluded.value where kept.value #>> '{}' < excluded.value #>> '{}')
      select (select count(*) from slice), (select count(*) from released)`,
    values: [idAt(madeBefore), new Date(acceptedBefore).toISOString(), new Date(now).toISOString(), limit],
  });
  return { requests: Number(row[0]), released: Number(row[1]) };
}
