/** Timeline of a transfer: within the bank (17), or over a rail (18, 22, 23, an item of 20, an approved 19). */
import { rejectionOf } from "../../operations/rejection-cases.ts";
import { postingsOf, type TimelineEvent } from "./timeline-event.ts";
import type { TransferDetails, TransferResult } from "../transfers/transfers.ts";

/** From its acceptance on. `isAccepted`: without that, where something else says it. */
export function eventsOfTransfer(transfer: TransferDetails, isAccepted = false): readonly TimelineEvent[] {
  const { referenceNo, acceptedAt, sentAmount, fee, postings, resolution, return: returned } = transfer;
  const later = new Set([resolution?.referenceNo, returned?.referenceNo]);
  const accepted: TimelineEvent = {
    kind: "accepted",
    at: acceptedAt,
    referenceNo,
    amount: sentAmount + fee,
    by: "service",
    postings: postings.filter((posting) => !later.has(posting.referenceNo)),
  };
  return [
    ...(isAccepted ? [] : [accepted]),
    ...submissionOf(transfer),
    ...(resolution === undefined ? [] : [resolutionOf(transfer, resolution)]),
    ...(returned === undefined ? [] : [resultOf("returned", transfer, returned)]),
  ];
}

/** Events at the rail until there was a result. */
function submissionOf(transfer: TransferDetails): readonly TimelineEvent[] {
  const { rail, state, bulk, acceptedAt, traceNo, submittedAt, inquiryCount, nextInquiryAt, resolution, rejection } =
    transfer;
  const isWaiting = resolution === undefined && nextInquiryAt === undefined;
  if (state === "queued" || isWaiting || rejection?.kind === "railDown") return [];
  const isAcknowledged = submittedAt === undefined;
  // Its acceptance was its first submission, and before an inquiry there is no other; an item of a bulk waits for its turn.
  const at = submittedAt ?? (bulk === undefined && inquiryCount === 0 ? acceptedAt : undefined);
  return [
    { kind: "submitted", at, by: "service", rail, postings: [] },
    ...(isAcknowledged ? [{ kind: "acknowledged", by: "rail", rail, traceNo, postings: [] } as const] : []),
    ...(inquiryCount > 0
      ? [{ kind: "inquired", by: "service", rail, count: inquiryCount, nextAt: nextInquiryAt, postings: [] } as const]
      : []),
  ];
}

function resolutionOf(transfer: TransferDetails, resolution: TransferResult): TimelineEvent {
  const { rejection, service } = transfer;
  if (transfer.state !== "rejected") return resultOf("settled", transfer, resolution);
  const answer = rejectionOf({ kind: rejection?.kind ?? "rejectedByRail" }, String(service));
  return { ...resultOf("rejected", transfer, resolution), ...answer };
}

function resultOf(
  kind: "settled" | "rejected" | "returned",
  { rail, traceNo, sentAmount, postings }: TransferDetails,
  { referenceNo, by }: TransferResult,
): TimelineEvent {
  const own = postingsOf(postings, referenceNo);
  return { kind, at: own[0]?.at, referenceNo, amount: sentAmount, by, rail, traceNo, postings: own };
}
