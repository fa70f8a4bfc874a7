/** Notifications: what became of them, and replays. */
import {
  array,
  boolean,
  choice,
  integer,
  number,
  object,
  optional,
  orNull,
  parseTimestamp,
  type Static,
  string,
} from "@titian/contract";
import {
  attemptExplanation,
  findNotifications,
  findReceiverTest,
  isHttpUrl,
  noReplayTexts,
  type NotificationDeps,
  notificationStates,
  replayNotifications,
  time,
} from "@titian/server/admin";
import { invalidField, unknownPartner } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";
import { counted, countView, days, daysOf, ofPartner, ordered } from "../rows/pages.ts";
import { explainFailed } from "./explain-failed.ts";
import { describeReceiverTest, notificationServices, receiverTestView } from "./receiver-test.ts";

const attemptView = object({
  attempt: integer({ description: "from 1" }),
  at: time(),
  url: string(),
  durationMs: number(),
  httpStatus: optional(integer()),
  responseCode: optional(string()),
  reply: optional(string({ description: "its first 500 characters", personal: "text" })),
  failure: optional(string({ description: "absent: accepted" })),
  explanation: optional(attemptExplanation),
});

const notificationView = object({
  externalId: string({ description: "X-EXTERNAL-ID of every attempt" }),
  referenceNo: string({ description: "of a transfer, or the bulkId" }),
  partnerId: string(),
  serviceCode: string(),
  status: string({ description: "latestTransactionStatus that it reports" }),
  state: choice(notificationStates),
  createdAt: time(),
  nextAttemptAt: orNull(time()),
  deliveredAt: orNull(time()),
  attemptCount: integer({ description: "those begun" }),
  attempts: array(attemptView, { description: "those that ended, newest first, at most 50" }),
});
export type NotificationView = Static<typeof notificationView>;

export interface NotificationCallsDeps {
  readonly notifications: NotificationDeps;
}

export const notificationCalls = [
  defineCall({
    name: "notification list",
    route: "GET /notifications",
    role: "viewer",
    does: "Notifications, newest first unless order says otherwise, 100 a page unless limit says fewer; of a transfer or bulk with referenceNo. `cursor` is the `next` of the page before.",
    query: object({
      referenceNo: optional(string()),
      ...ofPartner,
      ...ordered,
      ...counted,
      ...days,
      serviceCode: optional(choice(notificationServices, { description: `one of ${notificationServices.join(", ")}` })),
      state: optional(choice(notificationStates, { description: `one of ${notificationStates.join(", ")}` })),
      cursor: optional(string()),
      limit: optional(string({ pattern: "^([1-9][0-9]?|100)$", description: "from 1 to 100" })),
    }),
    answer: object({ notifications: array(notificationView), next: orNull(string()), count: countView }),
    run: async ({ query }, { notifications: deps }: NotificationCallsDeps) => {
      const { referenceNo, partnerId, state, cursor, order, count, serviceCode } = query;
      const { notifications, ...rest } = await findNotifications(deps, {
        referenceNo,
        partnerId,
        state,
        cursor,
        limit: query.limit === undefined ? undefined : Number(query.limit),
        isOldestFirst: order === "oldest",
        isCounted: count === "true",
        filter: { serviceCode, ...daysOf(query) },
      });
      const shown = notifications.map(({ service, nextAttemptAt, ...notification }) => ({
        ...notification,
        serviceCode: String(service),
        attempts: notification.attempts.map((attempt) => ({
          ...attempt,
          explanation: explainFailed({ ...attempt, partnerId: notification.partnerId, serviceCode: String(service) }),
        })),
        nextAttemptAt: notification.state === "waiting" ? nextAttemptAt : undefined,
      }));
      return { ...rest, notifications: shown };
    },
  }),
  defineCall({
    name: "partner receiver-test",
    route: "GET /partners/{partnerId}/receiver-test",
    role: "viewer",
    does: "The last test of the partner's receiver, by `titian partner notify` or here: what the receiver verifies, where that was found.",
    answer: object({ test: orNull(receiverTestView) }),
    run: async ({ params: { partnerId } }, { notifications: { byPartnerId, reads } }: NotificationCallsDeps) => {
      if (byPartnerId(partnerId) === undefined) throw unknownPartner(partnerId);
      const test = await findReceiverTest(reads, partnerId);
      return { test: test && describeReceiverTest(test) };
    },
  }),
  defineCall({
    name: "notification replay",
    route: "POST /notifications/replay",
    role: "operator",
    does: "Sends them again: those of referenceNo, those of results between from and to, or dead ones; to another address for this once with url. With none replayed, `reason` and `message` say why.",
    body: object({
      referenceNo: optional(string({ description: "a number of a transfer or bulk" })),
      from: optional(string({ description: "a time" })),
      to: optional(string({ description: "a time" })),
      dead: optional(boolean({ description: "true" })),
      url: optional(string({ description: "a URL" })),
    }),
    answer: object({
      replayed: integer({ description: "how many" }),
      reason: optional(choice(["notFound", "noneDead", "waiting", "newerAccepted"])),
      message: optional(string()),
    }),
    join: (answers) => {
      const replayed = answers.reduce((sum, one) => sum + one.replayed, 0);
      const [first = { replayed }] = answers;
      return replayed > 0 ? { replayed } : (answers.find(({ reason }) => reason !== "notFound") ?? first);
    },
    run: async ({ body: { referenceNo, from, to, dead, url } }, { notifications: deps }: NotificationCallsDeps) => {
      const chosen = [referenceNo !== undefined, from !== undefined || to !== undefined, dead === true];
      if (chosen.filter(Boolean).length !== 1) {
        throw invalidField("referenceNo", "Give one of referenceNo, from and to, or dead: true.");
      }
      if (url !== undefined && !isHttpUrl(url)) {
        throw invalidField("url", "url must be an http or https URL without credentials.");
      }
      const times = { from: readTime("from", from), to: readTime("to", to) };
      const replayed = await replayNotifications(deps, { referenceNo, ...times, dead: dead === true, url });
      const { reason } = replayed;
      return { ...replayed, message: reason && noReplayTexts[reason] };
    },
  }),
] as const;

function readTime(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const found = parseTimestamp(text);
  if (found !== undefined) return found;
  throw invalidField(field, `${field} must be a time such as 2026-11-21T10:00:00+07:00.`);
}
