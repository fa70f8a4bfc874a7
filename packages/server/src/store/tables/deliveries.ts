/**
 * Notifications that are sent. A claim moves the next attempt: no other node sends the notification meanwhile, and it is due
 * again if the node dies. Two nodes that send one do no harm: its external id is the same.
 */
import type { Pool } from "pg";
import { lowestId } from "../../ids.ts";
import { queryRows } from "../postgres/query-rows.ts";
import type { TextRow } from "../postgres/session.ts";
import type { OutboxEvent } from "./outbox.ts";

/** An event of the outbox that is sent now. */
export interface Delivery extends OutboxEvent {
  /** From 1. */
  readonly attempt: number;
  /** From 1, since the last replay. */
  readonly attemptOfSeries: number;
  /** Business time of its event (epoch ms). */
  readonly createdAt: number;
  /** Of a replay to another address. */
  readonly replayUrl: string | undefined;
  /** Version of its body. */
  readonly bodyVersion: number;
}

/** A partner with room for more. */
export interface DeliveryRoom {
  readonly partner: string;
  readonly room: number;
  /** Without an address only replays to another are sent. */
  readonly hasAddress: boolean;
}

interface DeliveryClaim {
  readonly rooms: readonly DeliveryRoom[];
  /** Business time (epoch ms). */
  readonly now: number;
  /** How long the claim holds (ms). */
  readonly leaseMs: number;
  /** Ids that this node still sends although their claim has ended. */
  readonly besides: readonly string[];
}

/** A return behind a result that is not sent yet. */
export const followsResult = `(o.status = '04' and exists (select from outbox before
  where before.aggregate_id = o.aggregate_id and before.status <> '04' and before.state = 'waiting'))`;

/**
 * The row of an id, locked. Whatever else is asked of it is asked outside: a condition on its state would make the planner
 * walk all that waits. Rows are locked in the order of `inOrder`, so that nodes that lock some of the same do not cross.
 */
const lockById = (id: string) =>
  `(select state, attempt_count, attempts_before_replay from outbox where id = ${id} offset 0 for no key update)`;

function inOrder<Row extends { readonly id: string }>(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Gives claimed notifications back that were not sent; not those that another node has claimed since. */
export async function releaseDeliveries(
  pool: Pool,
  deliveries: readonly Pick<Delivery, "id" | "attempt">[],
  due: "now" | "whenClaimEnds",
): Promise<void> {
  if (deliveries.length === 0) return;
  const released = inOrder(deliveries);
  await pool.query({
    name: "release-deliveries",
    text: `with given as (
        select claimed.id from unnest($1::uuid[], $2::int[]) claimed (id, attempt)
        cross join lateral ${lockById("claimed.id")} o
        where o.state = 'waiting' and o.attempt_count = claimed.attempt and o.attempt_count > o.attempts_before_replay)
      update outbox set attempt_count = attempt_count - 1, next_attempt_at = case when $3 = 'whenClaimEnds' then next_attempt_at end from given where outbox.id = given.id`,
    values: [released.map(({ id }) => id), released.map(({ attempt }) => attempt), due],
  });
}

/** Claims what is due, the longest due first. A return is sent after the result before it. */
export async function claimDeliveries(
  pool: Pool,
  { rooms, now, leaseMs, besides }: DeliveryClaim,
): Promise<readonly Delivery[]> {
  const rows = await queryRows(pool, {
    name: "claim-deliveries",
    text: `with due as (
        select found.id from unnest($1::uuid[], $2::int[], $5::boolean[]) wanted (partner, room, has_address)
        cross join lateral (
          select o.id from outbox o
          where o.partner = wanted.partner and o.state = 'waiting' and (wanted.has_address or o.replay_url is not null)
            and o.id <> all($6::uuid[])
            and coalesce(o.next_attempt_at, o.created_at) <= $3::timestamptz
            and not ${followsResult}
          order by coalesce(o.next_attempt_at, o.created_at), o.id limit wanted.room
          for no key update skip locked) found)
      update outbox set attempt_count = attempt_count + 1, next_attempt_at = $3::timestamptz + $4::float8 * interval '1 millisecond'
      from due where outbox.id = due.id
      returning outbox.id, partner, service, aggregate_id, status, attempt_count,
        attempt_count - attempts_before_replay, (date_part('epoch', created_at) * 1000)::bigint, replay_url, body_version`,
    values: [
      rooms.map(({ partner }) => partner),
      rooms.map(({ room }) => room),
      isoOf(now),
      leaseMs,
      rooms.map(({ hasAddress }) => hasAddress),
      besides,
    ],
  });
  return rows.map(readDelivery);
}

function readDelivery(row: TextRow): Delivery {
  const [id, partner, service, resource, status, attempt, attemptOfSeries, createdAt, replayUrl, bodyVersion] = row;
  return {
    id: id as string,
    partner: partner as string,
    service: Number(service),
    resource: resource as string,
    status: status as string,
    attempt: Number(attempt),
    attemptOfSeries: Number(attemptOfSeries),
    createdAt: Number(createdAt),
    replayUrl: replayUrl ?? undefined,
    bodyVersion: Number(bodyVersion),
  };
}

/** What came of one attempt. */
export interface AttemptResult {
  readonly url: string;
  readonly httpStatus?: number | undefined;
  readonly responseCode?: string | undefined;
  /** First characters of the reply. */
  readonly reply?: string | undefined;
  /** Absent: accepted. */
  readonly failure?: string | undefined;
  readonly durationMs: number;
}

export interface AttemptRecord extends AttemptResult {
  readonly id: string;
  readonly attempt: number;
  /** Business time (epoch ms). */
  readonly at: number;
  /** Of the next attempt; undefined: there is none. */
  readonly nextAt: number | undefined;
}

/** Records attempts and what follows from them. Of an attempt that is recorded twice the first record stays. */
export async function recordAttempts(pool: Pool, given: readonly AttemptRecord[]): Promise<void> {
  await pool.query(attemptsStatement(given));
}

export function attemptsStatement(given: readonly AttemptRecord[]) {
  const records = inOrder(given);
  return {
    name: "record-attempts",
    text: `with ended as (
        select given.*, o.state = 'waiting' and o.attempt_count = given.attempt
          or o.state <> 'delivered' and given.failure is null as counts
        from unnest($1::uuid[], $2::int[], $3::timestamptz[], $4::text[], $5::int[], $6::text[], $7::text[], $8::text[],
          $9::int[], $10::timestamptz[])
          given (id, attempt, at, url, http_status, response_code, reply, failure, duration_ms, next_at)
        cross join lateral ${lockById("given.id")} o),
      recorded as (
        insert into delivery_attempts (outbox_id, attempt, at, url, http_status, response_code, reply, failure, duration_ms)
        select id, attempt, at, url, http_status, response_code, reply, failure, duration_ms from ended
        on conflict do nothing)
      update outbox o set
        state = case when ended.failure is null then 'delivered' when ended.next_at is null then 'dead' else 'waiting' end,
        next_attempt_at = ended.next_at,
        delivered_at = case when ended.failure is null then ended.at else o.delivered_at end
      from ended where o.id = ended.id and ended.counts`,
    values: [
      records.map(({ id }) => id),
      records.map(({ attempt }) => attempt),
      records.map(({ at }) => isoOf(at)),
      records.map(({ url }) => url),
      records.map(({ httpStatus }) => httpStatus),
      records.map(({ responseCode }) => responseCode),
      records.map(({ reply }) => reply),
      records.map(({ failure }) => failure),
      records.map(({ durationMs }) => Math.round(durationMs)),
      records.map(({ failure, nextAt }) => (failure === undefined || nextAt === undefined ? undefined : isoOf(nextAt))),
    ],
  };
}

export function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

const sliceSize = 1_000;

/** Which notifications are replayed. */
export interface ReplaySelection {
  readonly partner?: string | undefined;
  /** Id of a transfer or bulk. */
  readonly resource?: string | undefined;
  /** Business times of the events (epoch ms): from (included) to (excluded). */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Only those that were given up after their last attempt. */
  readonly dead: boolean;
  /** Instead of the partner's address. */
  readonly url?: string | undefined;
  /** Business time (epoch ms). */
  readonly now: number;
}

/** What a replay takes; `$1` to `$4` are the values of `selected`. */
const replayable = ({ resource, dead }: Selected) => `o.state ${dead ? "= 'dead'" : "<> 'waiting'"}
  and ($1::uuid is null or o.partner = $1::uuid) and ${resource === undefined ? "$2::uuid is null" : "o.aggregate_id = $2::uuid"}
  and ($3::timestamptz is null or o.created_at >= $3::timestamptz) and ($4::timestamptz is null or o.created_at < $4::timestamptz)
  and not (o.status <> '04' and exists (select from outbox later where later.aggregate_id = o.aggregate_id and later.status = '04'
    and (later.state = 'delivered' or later.delivered_at is not null or later.state = 'waiting' and later.attempt_count > later.attempts_before_replay)))`;

type Selected = Omit<ReplaySelection, "url" | "now">;

function selected({ partner, resource, from, to }: Selected) {
  return [partner, resource, from === undefined ? undefined : isoOf(from), to === undefined ? undefined : isoOf(to)];
}

/** A statement of a replay has a text for each of these. */
const variantOf = ({ resource, dead }: Selected) =>
  `${resource === undefined ? "" : "-of-resource"}${dead ? "-dead" : ""}`;

/** How many a replay would send now. */
export async function countReplayable(pool: Pool, selection: Selected): Promise<number> {
  const rows = await queryRows(pool, countStatement(selection));
  return Number(rows[0]?.[0]);
}

export function countStatement(selection: Selected) {
  return {
    name: `count-replayable${variantOf(selection)}`,
    text: `select count(*) from outbox o where ${replayable(selection)}`,
    values: selected(selection),
  };
}

/**
 * Makes notifications due again, with their ids and bodies; returns how many. One with an earlier status is not
 * replayed once the last status of its resource was accepted, or is being sent again: it would tell less than its receiver
 * knows.
 */
export async function replayDeliveries(pool: Pool, selection: ReplaySelection): Promise<number> {
  let replayed = 0;
  for (let last = lowestId, isOver = false; !isOver; ) {
    const rows = await queryRows(pool, replayStatement(selection, last));
    replayed += rows.length;
    isOver = rows.length < sliceSize;
    last = rows.reduce((highest, [id]) => (id !== null && id !== undefined && id > highest ? id : highest), last);
  }
  return replayed;
}

/** Replays the next ones whose id is above `last`. */
export function replayStatement(selection: ReplaySelection, last: string) {
  return {
    name: `replay-deliveries${variantOf(selection)}`,
    text: `with picked as (select id from outbox o where o.id > $7::uuid and ${replayable(selection)}
        order by o.id limit ${sliceSize} for no key update)
      update outbox set state = 'waiting', next_attempt_at = $5::timestamptz, attempts_before_replay = attempt_count, replay_url = $6
      from picked where outbox.id = picked.id returning outbox.id`,
    values: [...selected(selection), isoOf(selection.now), selection.url, last],
  };
}
