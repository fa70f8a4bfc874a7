/** What happened to a payment, transfer, payment request, bulk or item of one, and where its money is. */
import {
  array,
  boolean,
  choice,
  integer,
  number,
  object,
  operationByCode,
  optional,
  type Static,
  string,
} from "@titian/contract";
import { findTimeline, type QueryDeps } from "@titian/server/admin";
import { accountView, entryView, showEntry } from "../accounts/account-view.ts";
import { bulkCounts, countItems } from "../bulks/bulk-counts.ts";
import { ControlError } from "../control-error.ts";
import { holdSums } from "../holds/hold-sums.ts";
import { notificationStates } from "../notifications/notification-calls.ts";
import { defineCall } from "../rows/define-call.ts";
import { amount, time } from "../rows/write-answer.ts";

const posting = object({
  kind: string({ description: "such as transfer, capture, refund, submission, settlement, fee, reversal, return" }),
  amount: amount(),
  fromAccountNo: string(),
  toAccountNo: string(),
  fromBalanceAfter: optional(amount()),
  toBalanceAfter: optional(amount()),
  at: time(),
  referenceNo: string({ description: "of the journal" }),
});

const event = object({
  kind: choice([
    "requested",
    "accepted",
    "held",
    "captured",
    "voided",
    "released",
    "expired",
    "refunded",
    "submitted",
    "acknowledged",
    "inquired",
    "settled",
    "rejected",
    "returned",
    "approved",
    "declined",
    "ended",
    "notification",
    "delivery",
  ]),
  at: optional(time({ description: "absent: not known; it stands where it belongs" })),
  referenceNo: optional(string({ description: "of the event: a captureNo, voidNo, refundNo, or of a journal" })),
  amount: optional(amount()),
  by: optional(choice(["partner", "payer", "rail", "operator", "service"])),
  serviceCode: optional(string()),
  externalId: optional(string()),
  partnerReferenceNo: optional(string()),
  captureNo: optional(string({ description: "of a refund: the capture it is paid from" })),
  rail: optional(string()),
  traceNo: optional(string()),
  count: optional(integer({ description: "of inquiries" })),
  nextAt: optional(time({ description: "of inquiries: the next one" })),
  responseCode: optional(string({ description: "of a rejection, as it was or would be answered; of a delivery" })),
  responseMessage: optional(string()),
  status: optional(string({ description: "latestTransactionStatus that a notification reports" })),
  state: optional(choice(notificationStates, { description: "of a notification" })),
  attempt: optional(integer({ description: "of a delivery, as what follows" })),
  url: optional(string()),
  httpStatus: optional(integer()),
  failure: optional(string()),
  durationMs: optional(number()),
  postings: array(posting, { description: "money that the event moved" }),
});
export type TimelineEvent = Static<typeof event>;

const side = object({
  role: choice(["payer", "beneficiary", "merchant"]),
  accountNo: string(),
  name: optional(string()),
  bankCode: optional(string({ description: "of another bank's account" })),
  bankName: optional(string()),
  account: optional(accountView),
  entries: array(entryView, { description: "of this timeline, oldest first" }),
});
export type Side = Static<typeof side>;

const action = choice(["resolveSettled", "resolveRefused", "return", "approve", "decline"]);
export type TimelineAction = Static<typeof action>;

const timeline = object({
  kind: choice(["payment", "transfer", "paymentRequest", "bulk", "bulkItem"]),
  referenceNo: string(),
  partnerId: string(),
  partnerReferenceNo: optional(string()),
  externalId: string(),
  serviceCode: string(),
  operation: string({ description: "name in the contract, such as interbankTransfer" }),
  acceptedAt: time(),
  status: string({ description: "latestTransactionStatus" }),
  state: string(),
  meaning: string({ description: "of the state, as a sentence" }),
  currency: string(),
  amount: optional(amount({ description: "absent: an open amount of a payment request" })),
  fee: optional(amount()),
  rail: optional(string()),
  traceNo: optional(string()),
  merchantId: optional(string()),
  expiresAt: optional(time()),
  hold: optional(object(holdSums)),
  counts: optional(object(bulkCounts)),
  bulkId: optional(string({ description: "of an item of a bulk" })),
  bulkPosition: optional(integer()),
  sides: array(side),
  events: array(event, { description: "in order, at most 500" }),
  isCut: boolean({ description: "whether the oldest changes of a payment are left out" }),
  actions: array(action, { description: "calls that are possible now" }),
});
export type Timeline = Static<typeof timeline>;

export interface TimelineCallsDeps {
  readonly queries: QueryDeps;
}

export const timelineCalls = [
  defineCall({
    name: "timeline",
    method: "GET",
    path: "/timeline/{referenceNo}",
    access: "read",
    role: "viewer",
    does: "What happened to a payment, transfer, payment request, bulk or item, by any number of ours: both sides with their entries, events with the balances after them, and the actions that are possible now.",
    answer: timeline,
    run: async ({ params }, { queries }: TimelineCallsDeps) => {
      const found = await findTimeline(queries, params.referenceNo);
      if (!found) {
        const message =
          "No payment, transfer, payment request or bulk has this number; GET /sandbox/search finds others.";
        throw new ControlError(404, "unknownNumber", message, "referenceNo");
      }
      const { service, bulk, itemOf, sides, events } = found;
      const serviceCode = String(service);
      return {
        ...found,
        serviceCode,
        operation: operationByCode(serviceCode)?.name ?? "",
        counts: bulk && countItems(bulk),
        bulkId: itemOf?.bulkId,
        bulkPosition: itemOf?.position,
        sides: sides.map((one) => ({ ...one, entries: one.entries.map(showEntry) })),
        events: events.map((one) => ({ ...one, serviceCode: one.service?.toString() })),
      };
    },
  }),
] as const;
