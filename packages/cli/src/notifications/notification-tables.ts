/** Tables of `titian notification`. */
import { formatTimestamp, nounOf } from "@titian/contract";
import type { SentNotification } from "@titian/server/admin";
import { plain } from "../tables/plain.ts";
import { formatTable } from "../tables/table.ts";

const listColumns = {
  referenceNo: "transfer or bulk",
  partnerId: "partner",
  service: "service",
  status: "status",
  state: "state",
  created: "result",
  attemptCount: "attempts",
  next: "next attempt",
  last: "last failure",
};

export function formatNotifications(notifications: readonly SentNotification[]): string {
  const rows = notifications.map((notification) => ({
    ...notification,
    created: formatTimestamp(notification.createdAt),
    next: describeNext(notification),
    last: notification.state === "delivered" ? "" : plain(notification.attempts[0]?.failure),
  }));
  return formatTable(listColumns, rows);
}

const attemptColumns = {
  attempt: "attempt",
  time: "time",
  httpStatus: "HTTP",
  responseCode: "code",
  durationMs: "ms",
  result: "result",
  reply: "reply",
};

/** State, and its attempts from the first. */
export function formatNotification(notification: SentNotification): string {
  const { service, status, referenceNo, partnerId, externalId, state, createdAt, deliveredAt } = notification;
  const { attempts, attemptCount } = notification;
  const next = describeNext(notification);
  const fields: readonly (readonly [string, string | undefined])[] = [
    [nounOf(service) ?? "", referenceNo],
    ["partner", partnerId],
    ["X-EXTERNAL-ID", externalId],
    ["result", formatTimestamp(createdAt)],
    ["state", `${state}: ${meanings[state]}`],
    ["next attempt", next],
    ["delivered", deliveredAt === undefined ? undefined : formatTimestamp(deliveredAt)],
    ["last sent to", attempts[0]?.url],
    ["attempts", String(attemptCount)],
  ];
  const rows = attempts.toReversed().map((attempt) => ({
    ...attempt,
    time: formatTimestamp(attempt.at),
    responseCode: plain(attempt.responseCode),
    result: attempt.failure === undefined ? "accepted" : plain(attempt.failure),
    reply: plain(attempt.reply).slice(0, replyMax),
  }));
  return [
    `Notification ${service} with status ${status}`,
    "",
    ...fields.filter(([, text]) => text !== undefined).map(([name, text]) => `${name.padEnd(20)}${text}`),
    ...(rows.length === 0 ? [] : ["", formatTable(attemptColumns, rows)]),
  ].join("\n");
}

const replyMax = 80;

const meanings: Readonly<Record<SentNotification["state"], string>> = {
  waiting: "it is sent until it is accepted, at most ten times; by a replay with --url once",
  delivered: "the partner has accepted it",
  dead: "given up after its last attempt; titian notification replay sends it again",
  kept: "the partner had no address; titian notification replay sends it",
};

function describeNext({ state, nextAttemptAt }: SentNotification): string | undefined {
  if (state !== "waiting") return undefined;
  return nextAttemptAt === undefined ? "at once" : formatTimestamp(nextAttemptAt);
}

/** For JSON: times as in calls. */
export function toPlainNotification(notification: SentNotification): object {
  const { createdAt, nextAttemptAt, deliveredAt, attempts, state } = notification;
  const timeOf = (time: number | undefined) => (time === undefined ? null : formatTimestamp(time));
  return {
    ...notification,
    createdAt: formatTimestamp(createdAt),
    nextAttemptAt: state === "waiting" ? timeOf(nextAttemptAt) : null,
    deliveredAt: timeOf(deliveredAt),
    attempts: attempts.map((attempt) => ({ ...attempt, at: formatTimestamp(attempt.at) })),
  };
}
