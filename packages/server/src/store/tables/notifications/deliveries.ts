/**
 * Notifications that are sent. A claim moves the next attempt: no other node sends the notification meanwhile, and it is due
 * again if the node dies. Two nodes that send one do no harm: its external id is the same.
 */
import type { Pool } from "pg";
import type { Moment } from "../../../basics/clock.ts";
import { type Claimed, claimRows } from "../../postgres/claim-rows.ts";
import type { TextRow } from "../../postgres/session.ts";
import type { NewNotification } from "./outbox.ts";

/** An event of the outbox that is sent now. */
export interface ClaimedNotification extends NewNotification {
  /** Number of its claim, from 1. */
  readonly attempt: number;
  /** `attempt` of the last claim before its newest replay: of a newer series it is greater. */
  readonly series: number;
  /** From 1: which of its series it will be recorded as. Claims that posted nothing do not count. */
  readonly attemptOfSeries: number;
  /** Business time of its event (epoch ms). */
  readonly createdAt: number;
  /** True for a replay; not for one that the release before 0012-replays.sql made. */
  readonly isReplay: boolean;
  /** Address of a replay to another address. */
  readonly replayUrl: string | undefined;
  /** Version of its body. */
  readonly bodyVersion: number;
  /** Items of a bulk; absent: it is about a transfer. */
  readonly itemCount: number | undefined;
}

/** A partner with capacity for more live notifications, or for more replays. */
export interface DeliveryCapacity {
  readonly partner: string;
  readonly isReplay: boolean;
  readonly capacity: number;
  /** Without an address only replays to another are sent. */
  readonly hasAddress: boolean;
}

interface DeliveryClaim {
  readonly capacities: readonly DeliveryCapacity[];
  /** Business time (epoch ms). */
  readonly now: number;
  /** The moment that `now` is. */
  readonly at: Moment;
  /** Time for which the claim holds (ms). */
  readonly leaseMs: number;
  /** Ids that this node still sends although their claim has ended. */
  readonly besides: readonly string[];
}

/**
 * Live notifications and replays are found apart, by when they are due, in outbox_waiting_in_turn alone: outbox_waiting, of the release
 * before, says `coalesce`, so that no plan walks all replays in it. An attempt is never due before its event.
 */
export const replayed = "(state_before_replay is not null)";
export const dueAt = "greatest(next_attempt_at, created_at)";

/** A return behind a result that is not sent yet. */
export const followsResult = `(o.status = '04' and exists (select from outbox before
  where before.aggregate_id = o.aggregate_id and before.status <> '04' and before.state = 'waiting'))`;

/**
 * The row of an id, locked. Whatever else is asked of it is asked outside: a condition on its state would make the planner
 * walk all that waits. Rows are locked in the order of `inOrder`, so that nodes that lock some of the same do not cross.
 */
const lockById = (id: string) =>
  `(select state, attempt_count, attempts_before_replay, next_attempt_at, replay_url, state_before_replay from outbox
    where id = ${id} offset 0 for no key update)`;

function inOrder<Row extends { readonly id: string }>(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Gives claimed notifications back that were not sent; not those that another node has claimed since. */
export async function releaseDeliveries(
  pool: Pool,
  notifications: readonly Pick<ClaimedNotification, "id" | "attempt">[],
  due: "now" | "whenClaimEnds",
): Promise<void> {
  if (notifications.length === 0) return;
  const released = inOrder(notifications);
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

/** Attempts of its series that a claimed row has behind it; before its first claim none, which needs no look. */
const recordedOfSeries = `case when attempt_count - attempts_before_replay > 1 then (select count(*) from delivery_attempts made
  where made.outbox_id = sent.id and made.attempt > sent.attempts_before_replay) else 0 end`;

/**
 * Claims what is due, the longest due first. A return is sent after the result before it, whose row is locked with it: a replay
 * of that result at the same moment sees the claim, or is seen by it.
 */
export async function claimDeliveries(pool: Pool, claim: DeliveryClaim): Promise<Claimed<ClaimedNotification>> {
  const { rows, commit } = await claimRows(pool, claimStatement(claim), claim.at);
  return { rows: rows.map(readDelivery), commit };
}

export function claimStatement({ capacities, now, leaseMs, besides }: Omit<DeliveryClaim, "at">) {
  return {
    name: "claim-deliveries",
    text: `with due as (
        select found.* from unnest($1::uuid[], $2::int[], $5::boolean[], $7::boolean[]) wanted (partner, capacity, has_address, is_replay)
        cross join lateral (
          select o.id, o.aggregate_id, o.status from outbox o
          where o.partner = wanted.partner and o.state = 'waiting' and ${replayed} = wanted.is_replay and (wanted.has_address or o.replay_url is not null)
            and o.id <> all($6::uuid[])
            and ${dueAt} <= $3::timestamptz
            and not ${followsResult}
          order by ${dueAt}, o.id limit wanted.capacity
          for no key update skip locked) found),
      behind_result as (
        select due.id from outbox before join due on before.aggregate_id = due.aggregate_id and before.status <> '04'
        where due.status = '04' and before.state <> 'waiting' for no key update of before skip locked),
      claimed as materialized (
        select id from behind_result
        union all select id from due where status <> '04'
          or not exists (select from outbox before where before.aggregate_id = due.aggregate_id and before.status <> '04')),
      sent as (
        update outbox set attempt_count = attempt_count + 1, next_attempt_at = $3::timestamptz + $4::float8 * interval '1 millisecond'
        from claimed where outbox.id = claimed.id returning outbox.*)
      select id, partner, service, aggregate_id, status, attempt_count,
        attempts_before_replay, ${recordedOfSeries}, (date_part('epoch', created_at) * 1000)::bigint, replay_url, body_version,
        ${replayed}, case when service = 21 then coalesce((select item_count from bulks where bulks.id = aggregate_id), 10000) end from sent`,
    values: [
      capacities.map(({ partner }) => partner),
      capacities.map(({ capacity }) => capacity),
      isoOf(now),
      leaseMs,
      capacities.map(({ hasAddress }) => hasAddress),
      besides,
      capacities.map(({ isReplay }) => isReplay),
    ],
  };
}

function readDelivery(row: TextRow): ClaimedNotification {
  const [id, partner, service, subject, status, attempt, series, recorded, createdAt, replayUrl, bodyVersion, ...more] =
    row;
  const [isReplay, itemCount] = more;
  return {
    id: id as string,
    partner: partner as string,
    service: Number(service),
    subject: subject as string,
    status: status as string,
    attempt: Number(attempt),
    series: Number(series),
    attemptOfSeries: 1 + Number(recorded),
    createdAt: Number(createdAt),
    replayUrl: replayUrl ?? undefined,
    bodyVersion: Number(bodyVersion),
    isReplay: isReplay === "t",
    itemCount: itemCount === null || itemCount === undefined ? undefined : Number(itemCount),
  };
}

/** Outcome of one attempt. */
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
  /** Time of the next attempt; undefined: there is none. */
  readonly nextAt: number | undefined;
}

/** Records attempts and what follows from them. Of an attempt that is recorded twice the first record stays. */
export async function recordAttempts(pool: Pool, given: readonly AttemptRecord[]): Promise<void> {
  const seen = new Set<string>();
  const isAgain = ({ id }: AttemptRecord) => seen.size === seen.add(id).size;
  const { again = [], first = [] } = Object.groupBy(given, (record) => (isAgain(record) ? "again" : "first"));
  await pool.query(attemptsStatement(first));
  // A replay may be sent while an attempt before it is under way: a statement changes a row once.
  if (again.length > 0) await recordAttempts(pool, again);
}

export function attemptsStatement(given: readonly AttemptRecord[]) {
  const records = inOrder(given);
  return {
    name: "record-attempts",
    // An attempt before the newest replay counts only if it was accepted, and does not end that replay.
    text: `with ended as (
        select given.*, o.*, o.state = 'waiting' and given.attempt <= o.attempts_before_replay as is_replaced,
          o.state = 'waiting' and o.attempt_count = given.attempt and given.attempt > o.attempts_before_replay
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
        state = case when is_replaced then 'waiting' when failure is null then 'delivered' when next_at is not null then 'waiting'
          when ended.replay_url is not null then coalesce(ended.state_before_replay, 'dead') else 'dead' end,
        next_attempt_at = case when is_replaced then ended.next_attempt_at else next_at end,
        state_before_replay = case when is_replaced then 'delivered' else ended.state_before_replay end,
        delivered_at = case when failure is null then at else o.delivered_at end
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
