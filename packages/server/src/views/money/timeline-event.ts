/** One thing that happened to a payment, transfer, payment request or bulk. */
import { array, choice, integer, number, object, optional, record, type Static, string } from "@titian/contract";
import { notificationStates } from "../../store/reads/notifications.ts";
import type { PostingSummary } from "../accounts/postings.ts";
import { amount, type Found, time } from "../answers.ts";

export const postingView = object({
  kind: string({ description: "such as transfer, capture, refund, submission, settlement, fee, reversal, return" }),
  amount: amount(),
  fromAccountNo: string({ personal: "account" }),
  toAccountNo: string({ personal: "account" }),
  fromBalanceAfter: optional(amount()),
  toBalanceAfter: optional(amount()),
  at: time(),
  referenceNo: string({ description: "of the journal" }),
});

/** Event as a stable word for a translated sentence. */
const kind = choice([
  /** The request, with partner and external id. */
  "requested",
  /** The decision: accepted, with our number. */
  "accepted",
  "held",
  "captured",
  "voided",
  /** The remainder of a hold, by its last capture. */
  "released",
  "expired",
  "refunded",
  /** Handed to the rail (the last time, where it was more than once). */
  "submitted",
  /** The rail has it, and its result is awaited. */
  "acknowledged",
  /** The rail was asked about it, `count` times. */
  "inquired",
  "settled",
  /** By the rail or an operator; the money is back with the payer. */
  "rejected",
  "returned",
  /** The payer's, or an operator's, answer to a payment request. */
  "approved",
  "declined",
  /** The last item of a bulk had its result. */
  "ended",
  /** A notification was written. */
  "notification",
  /** An attempt to deliver it. */
  "delivery",
  /** Steps of an operator's act on a transfer. */
  "actProposed",
  "actApproved",
  "actRefused",
  "actExpired",
  "actCarriedOut",
  /** It was approved, and could not be carried out any more. */
  "actRejected",
]);

const actStep = object(
  {
    actId: string(),
    cell: optional(integer({ description: "the further cell that has the act; absent: home" })),
    who: string({ description: "issuer and subject of the operator, a node, or what stands for an operator" }),
    does: optional(
      string({ description: "of a proposal: what it changes, with names and amounts", personal: "sentence" }),
    ),
    doesTranslations: optional(
      object({ id: string({ personal: "sentence" }) }, { description: "the same in other languages" }),
    ),
    reason: optional(
      string({ description: "of a proposal, of a refusal, or why it was not carried out", personal: "reason" }),
    ),
  },
  { description: "of a step of an operator's act" },
);

/** Added by who answers the call. */
export const attemptExplanation = object(
  {
    sentence: string({ description: "in English" }),
    sentenceId: string({ description: "stable" }),
    parameters: record(string()),
    translations: object({ id: string() }, { description: "the same in other languages, by ISO 639 code" }),
  },
  { description: "why the receiver did not accept it, as far as its answer shows" },
);

export const timelineEvent = object({
  kind,
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
  reply: optional(string({ description: "its first 500 characters", personal: "text" })),
  explanation: optional(attemptExplanation),
  durationMs: optional(number()),
  act: optional(actStep),
  postings: array(postingView, { description: "money that the event moved" }),
});

export interface TimelineEvent extends Found<Static<typeof timelineEvent>> {
  readonly postings: readonly PostingSummary[];
}

export function requestedEvent(
  request: Pick<TimelineEvent, "at" | "serviceCode" | "externalId" | "partnerReferenceNo">,
): TimelineEvent {
  return { ...request, kind: "requested", by: "partner", postings: [] };
}

/** In the order of time; an event without one stays behind the event before it. */
export function inOrder(events: readonly TimelineEvent[]): readonly TimelineEvent[] {
  let last = 0;
  const timed = events.map((event) => {
    last = event.at ?? last;
    return { event, at: last };
  });
  return timed.toSorted((a, b) => a.at - b.at).map(({ event }) => event);
}

/** The postings of these journals, by the number of each. */
export function postingsOf(
  postings: readonly PostingSummary[],
  referenceNo: string | undefined,
): readonly PostingSummary[] {
  return postings.filter((posting) => posting.referenceNo === referenceNo);
}
