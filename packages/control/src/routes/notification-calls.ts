/** Notifications over the control API: what became of them, and replays. */
import { boolean, formatTimestamp, object, optional, parseTimestamp, string } from "@titian/contract";
import type { FastifyInstance } from "fastify";
import {
  findNotifications,
  isHttpUrl,
  noReplayTexts,
  type NotificationDeps,
  replayNotifications,
  type SentNotification,
} from "@titian/server/admin";
import { ControlError } from "../control-error.ts";
import { readBody, readQuery } from "../read-input.ts";

const Query = object({
  referenceNo: optional(string()),
  partnerId: optional(string()),
  cursor: optional(string()),
});

const Replay = object({
  referenceNo: optional(string({ description: "a number of a transfer or bulk" })),
  from: optional(string({ description: "a time" })),
  to: optional(string({ description: "a time" })),
  dead: optional(boolean({ description: "true" })),
  url: optional(string({ description: "a URL" })),
});

export function serveNotificationCalls(app: FastifyInstance, deps: NotificationDeps): void {
  app.get("/notifications", async ({ query }) => {
    const { notifications, next } = await findNotifications(deps, readQuery(Query, query));
    return { notifications: notifications.map(toJson), next };
  });
  app.post("/notifications/replay", async ({ body }) => {
    const { referenceNo, from, to, dead, url } = readBody(Replay, body);
    const chosen = [referenceNo !== undefined, from !== undefined || to !== undefined, dead === true];
    if (chosen.filter(Boolean).length !== 1) {
      throw new ControlError(
        400,
        "invalidField",
        "Give one of referenceNo, from and to, or dead: true.",
        "referenceNo",
      );
    }
    if (url !== undefined && !isHttpUrl(url)) {
      throw new ControlError(400, "invalidField", "url must be an http or https URL without credentials.", "url");
    }
    const { replayed, reason } = await replayNotifications(deps, {
      referenceNo,
      from: readTime("from", from),
      to: readTime("to", to),
      dead: dead === true,
      url,
    });
    return { replayed, ...(reason && { reason, message: noReplayTexts[reason] }) };
  });
}

function readTime(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = parseTimestamp(text);
  if (time !== undefined) return time;
  throw new ControlError(400, "invalidField", `${field} must be a time such as 2026-11-21T10:00:00+07:00.`, field);
}

const isoOf = (time: number | undefined) => (time === undefined ? null : formatTimestamp(time));

function toJson(notification: SentNotification) {
  const { createdAt, nextAttemptAt, deliveredAt, attempts, service, state, ...fields } = notification;
  return {
    ...fields,
    serviceCode: String(service),
    state,
    createdAt: isoOf(createdAt),
    nextAttemptAt: state === "waiting" ? isoOf(nextAttemptAt) : null,
    deliveredAt: isoOf(deliveredAt),
    attempts: attempts.map(({ at, ...attempt }) => ({ ...attempt, at: isoOf(at) })),
  };
}
