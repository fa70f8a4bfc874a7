/**
 * Items of bulks that were never submitted to the rail. A claim records their submission: if the node dies, they are due
 * for an inquiry 10 s later, like every transfer that may have been submitted.
 */
import type { Pool } from "pg";
import type { Moment } from "../../basics/clock.ts";
import { type Claimed, claimRows } from "../postgres/claim-rows.ts";
import { queryRows } from "../postgres/query-rows.ts";
import { readTransfer, transferColumns } from "./transfers.ts";
import type { DueTransfer } from "./due-transfers.ts";

export interface WaitingBulk {
  readonly id: string;
  readonly partner: string;
}

/** Bulks with such items, at most `limit`: the oldest of each partner, then the second of each, and so on. */
export async function findWaitingBulks(pool: Pool, limit: number): Promise<readonly WaitingBulk[]> {
  const rows = await queryRows(pool, {
    name: "find-waiting-bulks",
    text: `select id, partner from bulks where is_open and exists (
        select from transfers where bulk_id = bulks.id and next_inquiry_at is null and is_open)
      order by row_number() over (partition by partner order by id), id limit $1::int`,
    values: [limit],
  });
  return rows.map(([id, partner]) => ({ id: id as string, partner: partner as string }));
}

interface ItemClaim {
  readonly bulk: string;
  /** Business time (epoch ms). */
  readonly now: number;
  readonly limit: number;
  /** The moment that `now` is. */
  readonly at: Moment;
}

/**
 * Claims up to `limit` items of a bulk, in the order of its request, and records that they are submitted now: no
 * instruction of theirs may be valid for longer after `now` than `submissionValidMs`.
 */
export async function claimItems(pool: Pool, { bulk, now, limit, at }: ItemClaim): Promise<Claimed<DueTransfer>> {
  const claim = {
    name: "claim-items",
    text: `with waiting as (
        select id from transfers where bulk_id = $1::uuid and next_inquiry_at is null and is_open and state = 'queued'
        order by bulk_position limit $3::int for no key update skip locked),
      claimed as (
        update transfers t set state = 'submitted', version = t.version + 1, submitted_at = $2::timestamptz,
          next_inquiry_at = $2::timestamptz + interval '10 seconds'
        from waiting where t.id = waiting.id returning t.*)
      select ${transferColumns.of("claimed")}, r.payload from claimed cross join lateral (select payload from accepted_requests where id = claimed.id limit 1) r`,
    values: [bulk, new Date(now).toISOString(), limit],
  };
  const { rows, commit } = await claimRows(pool, claim, at);
  return { rows: rows.map((row) => ({ transfer: readTransfer(row), payload: row.at(-1) ?? "" })), commit };
}

/** Counts such items. */
export async function countUnsubmitted(pool: Pool): Promise<number> {
  const rows = await queryRows(pool, {
    name: "count-unsubmitted",
    text: "select count(*) from transfers where bulk_id is not null and next_inquiry_at is null and is_open",
    values: [],
  });
  return Number(rows[0]?.[0]);
}
