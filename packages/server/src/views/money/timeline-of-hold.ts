/** Timeline of a payment: its hold, captures, voids, expiry and refunds. */
import { operationByCode, operations } from "@titian/contract";
import { fromReferenceNo } from "../../basics/ids.ts";
import { parsePayload } from "../../operations/stored-payload.ts";
import { listAcceptedRequests } from "../../store/reads/accepted-requests.ts";
import type { AcceptedRequest } from "../../store/tables/requests/accepted-requests.ts";
import { type HoldEventSummary, listHoldEvents } from "../holds/hold-events.ts";
import type { HoldDetails } from "../holds/holds.ts";
import { listPostings, type PostingSummary } from "../accounts/postings.ts";
import type { QueryDeps } from "../query-deps.ts";
import { postingsOf, requestedEvent, type TimelineEvent } from "./timeline-event.ts";

/** Number of changes that are shown; of more the oldest are left out. */
export const changesMax = 200;

interface ChangePayload {
  readonly request: Readonly<Record<string, string | undefined>>;
}

/** The events of a hold, the newest `changesMax` of its changes; its request is accepted as it is placed. */
export async function eventsOfHold(
  deps: QueryDeps,
  hold: HoldDetails,
  request: AcceptedRequest | undefined,
): Promise<readonly TimelineEvent[]> {
  const { referenceNo, partnerReferenceNo, held, placedAt, expired, expiresAt } = hold;
  const page = { before: hold.events + 1, limit: changesMax };
  const changes = withoutRepeats((await listHoldEvents(deps, referenceNo, page)).toReversed());
  const ids = changes.flatMap((change) => idOf(change));
  const [requests, postings] = await Promise.all([listAcceptedRequests(deps.pool, ids), listPostings(deps, ids)]);
  const byId = new Map(requests.map((one) => [one.id, one]));
  const isExpiryWritten = changes.some(({ kind }) => kind === "expiry");
  return [
    requestedEvent({
      at: placedAt,
      serviceCode: operations.authPayment.code,
      externalId: request?.externalId,
      partnerReferenceNo,
    }),
    { kind: "held", at: placedAt, referenceNo, amount: held, by: "service", postings: [] },
    ...changes.map((change) => describeChange(change, byId.get(idOf(change)[0] ?? ""), postings)),
    // Before the job has written it, it follows from the time.
    ...(expired > 0n && !isExpiryWritten ? [expiry(expiresAt, expired)] : []),
  ];
}

function expiry(at: number, amount: bigint): TimelineEvent {
  return { kind: "expired", at, amount, by: "service", postings: [] };
}

function idOf({ referenceNo }: HoldEventSummary): readonly string[] {
  const id = referenceNo === undefined ? undefined : fromReferenceNo(referenceNo);
  return id === undefined ? [] : [id];
}

const kinds: Readonly<Record<HoldEventSummary["kind"], TimelineEvent["kind"]>> = {
  capture: "captured",
  void: "voided",
  expiry: "expired",
  refund: "refunded",
};

function describeChange(
  { kind, isOfLastCapture, amount, at, referenceNo, captureNo }: HoldEventSummary,
  request: AcceptedRequest | undefined,
  postings: readonly PostingSummary[],
): TimelineEvent {
  if (kind === "expiry") return expiry(at, amount);
  const { partnerNumber = "" } = operationByCode(request?.service ?? "")?.about ?? {};
  return {
    kind: isOfLastCapture ? "released" : kinds[kind],
    at,
    referenceNo,
    amount,
    by: "partner",
    serviceCode: request?.service.toString(),
    externalId: request?.externalId,
    partnerReferenceNo: request && parsePayload<ChangePayload>(request.payload).request[partnerNumber],
    captureNo,
    postings: isOfLastCapture ? [] : postingsOf(postings, referenceNo),
  };
}

/** A refund is an event for each capture that it is paid from: here it is one, with its sum. */
function withoutRepeats(changes: readonly HoldEventSummary[]): readonly HoldEventSummary[] {
  const found = new Map<string, HoldEventSummary>();
  for (const change of changes) {
    const key = `${change.kind} ${change.referenceNo ?? change.sequence}`;
    const first = found.get(key);
    found.set(
      key,
      first === undefined ? change : { ...first, amount: first.amount + change.amount, captureNo: undefined },
    );
  }
  return [...found.values()];
}
