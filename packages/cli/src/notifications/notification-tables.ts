/** Tables of `titian notification`. */
import { nounOf } from "@titian/contract";
import type { NotificationView, ReceiverTestView } from "@titian/sandbox/types";
import { formatFields } from "../tables/fields.ts";
import { plain } from "../tables/plain.ts";
import { formatTable } from "../tables/table.ts";

const listColumns = {
  referenceNo: "transfer or bulk",
  partnerId: "partner",
  serviceCode: "service",
  status: "status",
  state: "state",
  createdAt: "result",
  attemptCount: "attempts",
  next: "next attempt",
  last: "last failure",
};

export function formatNotifications(notifications: readonly NotificationView[]): string {
  const rows = notifications.map((notification) => ({
    ...notification,
    next: describeNext(notification),
    last: notification.state === "delivered" ? "" : plain(notification.attempts[0]?.failure),
  }));
  return formatTable(listColumns, rows);
}

const attemptColumns = {
  attempt: "attempt",
  at: "time",
  httpStatus: "HTTP",
  responseCode: "code",
  durationMs: "ms",
  result: "result",
  reply: "reply",
};

/** State, and its attempts from the first. */
export function formatNotification(notification: NotificationView): string {
  const { serviceCode, status, state, attempts } = notification;
  const fields = formatFields([
    [nounOf(serviceCode) ?? "", notification.referenceNo],
    ["partner", notification.partnerId],
    ["X-EXTERNAL-ID", notification.externalId],
    ["result", notification.createdAt],
    ["state", `${state}: ${meanings[state]}`],
    ["next attempt", describeNext(notification)],
    ["delivered", notification.deliveredAt ?? undefined],
    ["last sent to", attempts[0]?.url],
    ["attempts", String(notification.attemptCount)],
    ["last failure", plain(attempts[0]?.explanation?.sentence) || undefined],
  ]);
  const rows = attempts.toReversed().map((attempt) => ({
    ...attempt,
    responseCode: plain(attempt.responseCode),
    result: attempt.failure === undefined ? "accepted" : plain(attempt.failure),
    reply: plain(attempt.reply).slice(0, replyMax),
  }));
  const heading = `Notification ${serviceCode} with status ${status}`;
  return [heading, fields, ...(rows.length === 0 ? [] : [formatTable(attemptColumns, rows)])].join("\n\n");
}

/** Beside attempts that failed: what the last test of the receiver showed. */
export function formatReceiverTest({ at, url, serviceCode, failure, explanation }: ReceiverTestView): string {
  const result = explanation?.sentence ?? failure;
  return `Last test of the receiver\n\n${formatFields([
    ["time", at],
    ["notification", serviceCode],
    ["sent to", plain(url)],
    ["result", plain(result)],
  ])}`;
}

const replyMax = 80;

const meanings: Readonly<Record<NotificationView["state"], string>> = {
  waiting: "it is sent until it is accepted, at most ten times; by a replay with --url once",
  delivered: "the partner has accepted it",
  dead: "given up after its last attempt; titian notification replay sends it again",
  kept: "the partner had no address; titian notification replay sends it",
};

function describeNext({ state, nextAttemptAt }: NotificationView): string | undefined {
  return state === "waiting" ? (nextAttemptAt ?? "at once") : undefined;
}
