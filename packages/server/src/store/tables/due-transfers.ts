/**
 * Pending transfers that are due for an inquiry. A claim moves the next inquiry: no other node claims the transfer
 * meanwhile, and it is due again if the node dies. A hint: two nodes that reconcile the same transfer do no harm.
 */
import type { Pool } from "pg";
import { queryRows } from "../postgres/query-rows.ts";
import type { RailName } from "../../ledger/rails/terms.ts";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import type { TextRow } from "../postgres/session.ts";
import { readTransfer, transferColumns } from "./transfers.ts";

export interface DueTransfer {
  readonly transfer: RailTransfer;
  /** Payload of its request, as JSON text. */
  readonly payload: string;
  /** An operator wants it rejected, unless its rail has it: by an act, which requests of earlier releases had not. */
  readonly requestedRejection?: { readonly actId: string | undefined };
}

export interface InquiryIntervals {
  /** Until the first inquiry; doubled after each one, up to `max`; ms of business time. */
  readonly min: number;
  readonly max: number;
}

interface Claim {
  readonly rail: RailName;
  /** Business time (epoch ms). */
  readonly now: number;
  readonly limit: number;
  readonly intervals: InquiryIntervals;
}

/** Claims up to `limit` due transfers of a rail, the longest due first. */
export async function claimDueTransfers(
  pool: Pool,
  { rail, now, limit, intervals }: Claim,
): Promise<readonly DueTransfer[]> {
  const rows = await queryRows(pool, {
    name: "claim-due-transfers",
    text: `with due as (
        select id from transfers where is_open and next_inquiry_at <= $1::timestamptz and rail = $5
        order by next_inquiry_at, id limit $2::int for no key update skip locked),
      claimed as (
        update transfers t set inquiry_count = least(t.inquiry_count + 1, 30),
          next_inquiry_at = to_timestamp(($6::float8 + least($3::float8 * 2 ^ least(t.inquiry_count + 1, 30), $4::float8)) / 1000)
        from due where t.id = due.id returning t.*)
      select ${transferColumns.of("claimed")},
        (select coalesce(act_id::text, '') from requested_rejections where transfer_id = claimed.id and (act_id is null
          or exists (select from open_acts o where o.act_id = requested_rejections.act_id and o.state = 'approved'))), r.payload
      from claimed cross join lateral (select payload from accepted_requests where id = claimed.id limit 1) r`,
    values: [new Date(now).toISOString(), limit, intervals.min, intervals.max, rail, now],
  });
  return rows.map((row: TextRow) => {
    const requested = row.at(-2);
    return {
      transfer: readTransfer(row),
      payload: row.at(-1) ?? "",
      ...(requested != null && { requestedRejection: { actId: requested || undefined } }),
    };
  });
}

interface Due {
  readonly rail: RailName;
  /** Business time (epoch ms). */
  readonly now: number;
  /** Ids that are not counted. */
  readonly besides: readonly string[];
}

/** Counts due transfers of a rail. */
export async function countDueTransfers(pool: Pool, { rail, now, besides }: Due): Promise<number> {
  const rows = await queryRows(pool, {
    name: "count-due-transfers",
    text: `select count(*) from transfers
      where is_open and rail = $3 and next_inquiry_at <= $1::timestamptz and id <> all($2::uuid[])`,
    values: [new Date(now).toISOString(), besides, rail],
  });
  return Number(rows[0]?.[0]);
}

const sliceSize = 1_000;

/** Makes the pending transfers of a rail due at once. */
export async function makeTransfersDue(pool: Pool, rail: RailName, now: number): Promise<void> {
  // In slices, without locked rows: the batch that has one locked changes its state itself.
  for (let updated = sliceSize; updated === sliceSize; ) {
    const { rowCount } = await pool.query({
      name: "hurry-transfers",
      text: `update transfers set next_inquiry_at = $2::timestamptz where id = any(array(
        select id from transfers where is_open and rail = $1 and next_inquiry_at > $2::timestamptz
        order by id limit $3::int for no key update skip locked))`,
      values: [rail, new Date(now).toISOString(), sliceSize],
    });
    updated = rowCount ?? 0;
  }
}

/** Releases claims: the transfers are due at once. */
export async function releaseTransfers(pool: Pool, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  await pool.query({
    name: "release-transfers",
    // Never later than due before, even if this node's clock is ahead.
    text: `update transfers set next_inquiry_at = least(next_inquiry_at, $2::timestamptz) where id = any(array(
      select id from transfers where is_open and id = any($1::uuid[]) order by id for no key update skip locked))`,
    values: [ids, new Date(now).toISOString()],
  });
}
