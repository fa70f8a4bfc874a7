/** One thing that happened to a payment, transfer, payment request or bulk. */
import type { PostingSummary } from "../accounts/postings.ts";

/** What has a timeline. */
export type TimelineKind = "payment" | "transfer" | "paymentRequest" | "bulk" | "bulkItem";

/** What happened, as a stable word for a translated sentence. */
export type TimelineEventKind =
  /** The request, with partner and external id. */
  | "requested"
  /** The decision: accepted, with our number. */
  | "accepted"
  | "held"
  | "captured"
  | "voided"
  /** The remainder of a hold, by its last capture. */
  | "released"
  | "expired"
  | "refunded"
  /** Handed to the rail (the last time, where it was more than once). */
  | "submitted"
  /** The rail has it, and its result is awaited. */
  | "acknowledged"
  /** The rail was asked about it, `count` times. */
  | "inquired"
  | "settled"
  /** By the rail or an operator; the money is back with the payer. */
  | "rejected"
  | "returned"
  /** The payer's, or an operator's, answer to a payment request. */
  | "approved"
  | "declined"
  /** The last item of a bulk had its result. */
  | "ended"
  /** A notification was written. */
  | "notification"
  /** An attempt to deliver it. */
  | "delivery";

export interface TimelineEvent {
  readonly kind: TimelineEventKind;
  /** Business time (epoch ms); absent: not known. It stands where it belongs. */
  readonly at?: number | undefined;
  /** A number of ours: a captureNo, voidNo, refundNo, or a journal's. */
  readonly referenceNo?: string | undefined;
  /** Minor units. */
  readonly amount?: bigint | undefined;
  readonly by?: "partner" | "payer" | "rail" | "operator" | "service" | undefined;
  /** Service code as a number. */
  readonly service?: number | undefined;
  /** `X-EXTERNAL-ID`. */
  readonly externalId?: string | undefined;
  /** Also that of a capture, void or refund. */
  readonly partnerReferenceNo?: string | undefined;
  /** Of a refund: the capture it is paid from, where it is one. */
  readonly captureNo?: string | undefined;
  readonly rail?: string | undefined;
  readonly traceNo?: string | undefined;
  /** Of inquiries: how many, and when the next is due. */
  readonly count?: number | undefined;
  readonly nextAt?: number | undefined;
  /** Of a rejection, as it is or would be answered; of a delivery the partner's answer. */
  readonly responseCode?: string | undefined;
  readonly responseMessage?: string | undefined;
  /** Of a notification: `latestTransactionStatus`, and what became of it. */
  readonly status?: string | undefined;
  readonly state?: "waiting" | "delivered" | "dead" | "kept" | undefined;
  /** Of a delivery. */
  readonly attempt?: number | undefined;
  readonly url?: string | undefined;
  readonly httpStatus?: number | undefined;
  readonly failure?: string | undefined;
  readonly durationMs?: number | undefined;
  readonly postings: readonly PostingSummary[];
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
