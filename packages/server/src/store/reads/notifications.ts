/** Notifications as operators see them: state and attempts. */
import type { Pool } from "pg";
import { queryRows } from "../postgres/query-rows.ts";
import { epochMs } from "../statements/select-list.ts";
import type { TextRow } from "../postgres/session.ts";
import { beyond, type ReadPage } from "./scan-list.ts";

export const notificationStates = ["waiting", "delivered", "dead", "kept"] as const;
export type NotificationState = (typeof notificationStates)[number];

export interface AttemptRow {
  readonly attempt: number;
  /** Business time (epoch ms). */
  readonly at: number;
  readonly url: string;
  readonly httpStatus: number | undefined;
  readonly responseCode: string | undefined;
  readonly reply: string | undefined;
  /** Undefined: accepted. */
  readonly failure: string | undefined;
  readonly durationMs: number;
}

export interface NotificationRow {
  readonly id: string;
  /** Internal id. */
  readonly partner: string;
  readonly partnerId: string;
  readonly service: number;
  readonly subject: string;
  readonly status: string;
  readonly state: NotificationState;
  readonly attemptCount: number;
  /** Business times (epoch ms). */
  readonly createdAt: number;
  readonly nextAttemptAt: number | undefined;
  readonly deliveredAt: number | undefined;
  /** The newest first, at most 50. */
  readonly attempts: readonly AttemptRow[];
}

export interface NotificationPage extends ReadPage {
  /** Internal id of a partner; absent: of all. */
  readonly partner?: string | undefined;
  /** Id of a transfer or bulk. */
  readonly subject?: string | undefined;
  readonly state?: NotificationState | undefined;
}

const attemptsMax = 50;

const attemptsOf = `(select coalesce(json_agg(json_build_array(a.attempt, ${epochMs("a.at")}, a.url, a.http_status, a.response_code,
    a.reply, a.failure, a.duration_ms) order by a.attempt desc), '[]'::json)
  from (select * from delivery_attempts where outbox_id = o.id order by attempt desc limit ${attemptsMax}) a)`;

/** A state is part of the text, so that a generic plan uses the indexes of what was not delivered. */
const inState: Readonly<Record<NotificationState, string>> = {
  waiting: "and o.state = 'waiting'",
  delivered: "and o.state = 'delivered'",
  dead: "and o.state = 'dead'",
  kept: "and o.state = 'kept'",
};

/** Beyond an id in the order of a list. */
export async function listNotifications(pool: Pool, page: NotificationPage): Promise<readonly NotificationRow[]> {
  const rows = await queryRows(pool, listStatement(page));
  return rows.map(readNotification);
}

export function listStatement({ partner, subject, state, start, limit, isOldestFirst }: NotificationPage) {
  const { condition, order, suffix } = beyond(isOldestFirst);
  const variant = [subject && "of-subject", partner && "of-partner", state].filter((part) => part !== undefined);
  return {
    name: `${["list-notifications", ...variant].join("-")}${suffix}`,
    text: `select o.id, o.partner, (select partner_id from partners where id = o.partner), o.service, o.aggregate_id, o.status, o.state,
        o.attempt_count, ${epochMs("o.created_at")}, ${epochMs("o.next_attempt_at")}, ${epochMs("o.delivered_at")}, ${attemptsOf}
      from ${sourceOf(state, subject)} o where o.${condition} ${state === undefined ? "" : inState[state]}
        ${subject === undefined ? "and $3::uuid is null" : "and o.aggregate_id = $3::uuid"}
        ${partner === undefined ? "and $4::uuid is null" : "and o.partner = $4::uuid"}
      order by o.${order} limit $2::int`,
    values: [start, limit, subject, partner],
  };
}

/** Those that wait are few beside all, and sorted once they are found by that: in the order of ids all others would be read. */
function sourceOf(state: NotificationState | undefined, subject: string | undefined): string {
  return state === "waiting" && subject === undefined
    ? "(select * from outbox where state = 'waiting' offset 0)"
    : "outbox";
}

function readNotification(row: TextRow): NotificationRow {
  const [id, partner, partnerId, service, subject, status, state, count, createdAt, nextAt, deliveredAt, attempts] =
    row;
  return {
    id: id as string,
    partner: partner as string,
    partnerId: partnerId ?? "",
    service: Number(service),
    subject: subject as string,
    status: status as string,
    state: state as NotificationState,
    attemptCount: Number(count),
    createdAt: Number(createdAt),
    nextAttemptAt: nextAt == null ? undefined : Number(nextAt),
    deliveredAt: deliveredAt == null ? undefined : Number(deliveredAt),
    attempts: readAttempts(attempts ?? "[]"),
  };
}

function readAttempts(text: string): readonly AttemptRow[] {
  const rows = JSON.parse(text) as readonly (readonly [number, number, string, ...(string | number | null)[]])[];
  return rows.map(([attempt, at, url, httpStatus, responseCode, reply, failure, durationMs]) => ({
    attempt,
    at,
    url,
    httpStatus: (httpStatus ?? undefined) as number | undefined,
    responseCode: (responseCode ?? undefined) as string | undefined,
    reply: (reply ?? undefined) as string | undefined,
    failure: (failure ?? undefined) as string | undefined,
    durationMs: durationMs as number,
  }));
}
