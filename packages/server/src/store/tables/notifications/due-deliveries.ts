/** Notifications whose next attempt is due (spec D14): whose they are, how many, and which are kept for want of an address. */
import type { Pool } from "pg";
import { queryRows } from "../../postgres/query-rows.ts";
import { dueAt, followsResult, isoOf, replayed } from "./deliveries.ts";

/** A partner (internal id) with live notifications, or with replays, that are due. */
export interface DueOfPartner {
  readonly partner: string;
  readonly isReplay: boolean;
}

/** Partners for whom anything is due at `now` (business time, epoch ms), at most `limit`, but those of `besides`. */
export async function findDuePartners(
  pool: Pool,
  now: number,
  limit: number,
  besides: readonly string[] = [],
): Promise<readonly DueOfPartner[]> {
  const rows = await queryRows(pool, dueStatement(now, limit, besides));
  return rows.map(([partner, isReplay]) => ({ partner: partner as string, isReplay: isReplay === "t" }));
}

export function dueStatement(now: number, limit: number, besides: readonly string[]) {
  const first = (where: string) => `(select partner, ${replayed} as is_replay, ${dueAt} as due
    from outbox where state = 'waiting' ${where}
    order by partner, ${replayed}, ${dueAt}, id limit 1)`;
  return {
    name: "find-due-partners",
    // From one partner to the next, by what is due first of each: of its live notifications, then of its replays.
    text: `with recursive found as (
        ${first("")}
        union all
        select next.partner, next.is_replay, next.due from found cross join lateral
          ${first(`and (partner, ${replayed}) > (found.partner, found.is_replay)`)} next)
      select partner, is_replay from found where due <= $2::timestamptz and partner <> all($3::uuid[]) order by random() limit $1::int`,
    values: [limit, isoOf(now), besides],
  };
}

const sliceSize = 1_000;

interface KeepTimes {
  /** Business time (epoch ms). */
  readonly now: number;
  /** When partners were read: what is of a later event may have an address that they did not have yet (business time, epoch ms). */
  readonly createdUntil: number;
}

/** Keeps what is due for partners without an address; returns how many. */
export async function keepUnaddressed(
  pool: Pool,
  partners: readonly string[],
  { now, createdUntil }: KeepTimes,
): Promise<number> {
  if (partners.length === 0) return 0;
  const { rowCount } = await pool.query({
    name: "keep-unaddressed",
    text: `update outbox set state = 'kept' where id = any(array(
      select id from outbox where partner = any($1::uuid[]) and state = 'waiting' and replay_url is null
        and coalesce(next_attempt_at, created_at) <= $2::timestamptz and created_at <= $4::timestamptz
      limit $3::int for no key update skip locked))`,
    values: [partners, isoOf(now), sliceSize, isoOf(createdUntil)],
  });
  return rowCount ?? 0;
}

/** Counts notifications due now: of partners with an address, and replays to another; none of those in `besides`. */
export async function countDueDeliveries(
  pool: Pool,
  addressed: readonly string[],
  now: number,
  besides: readonly string[] = [],
): Promise<number> {
  const rows = await queryRows(pool, {
    name: "count-due-deliveries",
    text: `select count(*) from outbox o where o.state = 'waiting' and (o.partner = any($1::uuid[]) or o.replay_url is not null)
      and o.partner <> all($3::uuid[]) and coalesce(o.next_attempt_at, o.created_at) <= $2::timestamptz and not ${followsResult}`,
    values: [addressed, isoOf(now), besides],
  });
  return Number(rows[0]?.[0]);
}
