/** Timeline of a payment, transfer, payment request, bulk or item of one, and where its money is. */
import { array, boolean, choice, integer, object, optional, type Static, string } from "@titian/contract";
import {
  amount,
  callOfRecord,
  type CallsDeps,
  findCallsOfRecord,
  findTimeline,
  keptCall,
  showKeptCall,
  time,
  timelineEvent,
} from "@titian/server/admin";
import { maskBody } from "@titian/explain";
import { accountView, entryView } from "../accounts/account-view.ts";
import { openAct } from "../acts/act-view.ts";
import { bulkCounts } from "../bulks/bulk-calls.ts";
import type { CallRecord } from "../calls/record-calls.ts";
import type { Hide } from "../calls/show-call.ts";
import { ControlError } from "../control-error.ts";
import { holdSums } from "../holds/hold-calls.ts";
import { explainFailed } from "../notifications/explain-failed.ts";
import { defineCall } from "../rows/define-call.ts";

export type TimelineEvent = Static<typeof timelineEvent>;

const side = object({
  role: choice(["payer", "beneficiary", "merchant"]),
  accountNo: string({ personal: "account" }),
  name: optional(string({ personal: "name" })),
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
  returnedFee: optional(amount({ description: "of fee: what went back to the payer, with what the rail rejected" })),
  rail: optional(string()),
  traceNo: optional(string()),
  merchantId: optional(string()),
  expiresAt: optional(time()),
  hold: optional(object(holdSums)),
  counts: optional(object(bulkCounts)),
  bulkId: optional(string({ description: "of an item of a bulk" })),
  bulkPosition: optional(integer()),
  sides: array(side),
  events: array(timelineEvent, { description: "in order, at most 500" }),
  isCut: boolean({ description: "whether the oldest changes of a payment are left out" }),
  openAct,
  actions: array(action, { description: "calls that are possible now" }),
});
export type Timeline = Static<typeof timeline>;

export interface TimelineCallsDeps {
  readonly queries: CallsDeps;
  /** Calls that this process remembers; absent where it serves none. */
  readonly calls?: { readonly record: Pick<CallRecord, "find">; readonly hide: Hide };
}

const recordCalls = object({
  calls: array(
    object({
      ...callOfRecord,
      isRecorded: boolean({ description: "whether GET /calls/{id} of this node has it" }),
    }),
    { description: "in the order of time" },
  ),
  hasMore: boolean({ description: "there may have been more: of a record 20 are kept" }),
});

function unknownNumber(): ControlError {
  const message = "No payment, transfer, payment request or bulk has this number; GET /sandbox/search finds others.";
  return new ControlError(404, "unknownNumber", message, "referenceNo");
}

export const timelineCalls = [
  defineCall({
    name: "timeline",
    route: "GET /timeline/{referenceNo}",
    role: "viewer",
    does: "What happened to a payment, transfer, payment request, bulk or item, by any number of ours: both sides with their entries, events with the balances after them, the steps of operators' acts, and the actions that are possible now.",
    answer: timeline,
    run: async ({ params }, { queries }: TimelineCallsDeps) => {
      const found = await findTimeline(queries, params.referenceNo);
      if (!found) throw unknownNumber();
      return { ...found, events: found.events.map((event) => explained(event, found.partnerId)) };
    },
  }),
  defineCall({
    name: "timeline calls",
    route: "GET /timeline/{referenceNo}/calls",
    role: "support",
    does: "Calls that touched a payment, transfer, payment request, bulk or item: the one that made it, captures, voids and refunds, repeats, rejected ones with their bodies, and the answered inquiries, counted. Also rejected calls with its number from before it was made. They are kept within two seconds of their answers, as far as there is room, and for as long as words of the search; bodies of rejected ones until the month's search key is ended.",
    answer: recordCalls,
    run: async ({ params }, { queries, calls: remembered }: TimelineCallsDeps) => {
      const found = await findCallsOfRecord(queries, params.referenceNo);
      if (!found) throw unknownNumber();
      const isRecorded = (id: string | undefined) => id !== undefined && remembered?.record.find(id) !== undefined;
      const calls = found.calls.map((call) => ({
        ...call,
        body: withoutSecrets(call, remembered?.hide),
        isRecorded: isRecorded(call.correlationId),
      }));
      return { ...found, calls };
    },
  }),
  defineCall({
    name: "call kept",
    route: "GET /calls/{id}/kept",
    role: "support",
    does: "What is kept of a call, by the X-CORRELATION-ID of its answer: also where this node does not remember it, as after a restart, or of another node's. Without headers and answer; a rejected one with its body, until the month's search key is ended.",
    answer: object(keptCall),
    run: async ({ params }, { queries }: TimelineCallsDeps) => {
      const found = await showKeptCall(queries, params.id);
      if (!found) throw new ControlError(404, "notKept", "No call of this X-CORRELATION-ID is kept.", "id");
      return found;
    },
  }),
] as const;

/** Bodies of rejected calls were kept without secrets; those of accepted ones are the ledger's. */
function withoutSecrets(
  { outcome, body }: { readonly outcome: string; readonly body?: string | undefined },
  hide: Hide = (text) => text,
): string | undefined {
  return body === undefined || outcome !== "accepted" ? body : maskBody(hide(body));
}

type FoundEvent = NonNullable<Awaited<ReturnType<typeof findTimeline>>>["events"][number];

/** A delivery that failed says why, as far as the answer shows. */
function explained(event: FoundEvent, partnerId: string): FoundEvent {
  const { kind, serviceCode, url, failure, httpStatus, responseCode, reply } = event;
  if (kind !== "delivery" || serviceCode === undefined || url === undefined) return event;
  return {
    ...event,
    explanation: explainFailed({ partnerId, serviceCode, url, failure, httpStatus, responseCode, reply }),
  };
}
