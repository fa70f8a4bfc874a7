/**
 * Where the money of a payment, transfer, payment request, bulk or item of one is, and what happened to it: composed of
 * what the other queries know of it.
 */
import { currencyScale, operationByCode, operations } from "@titian/contract";
import { fromReferenceNo, toReferenceNo } from "../../basics/ids.ts";
import { minor, parseMinor } from "../../ledger/money.ts";
import type { TransferResolution } from "../../rails/commands/resolve-transfer.ts";
import { parseFacts, type TransferFacts } from "../../operations/stored-facts.ts";
import { listAcceptedRequests } from "../../store/reads/accepted-requests.ts";
import type { AcceptedRequest } from "../../store/tables/requests/accepted-requests.ts";
import { type BulkDetails, findBulk } from "../transfers/bulks.ts";
import { findHold, type HoldDetails } from "../holds/holds.ts";
import { findPaymentRequest, type PaymentRequestDetails } from "../transfers/payment-requests.ts";
import { listPostings } from "../accounts/postings.ts";
import { partnerIdOf, type QueryDeps } from "../query-deps.ts";
import { inOrder, type TimelineEvent, type TimelineKind } from "./timeline-event.ts";
import { changesMax, eventsOfHold } from "./timeline-of-hold.ts";
import { eventsOfTransfer, requestedEvent, settledEvent } from "./timeline-of-transfer.ts";
import { eventsOfNotifications, findSide, type Side, sideOf } from "./timeline-parts.ts";
import { findTransfer, type TransferDetails } from "../transfers/transfers.ts";

/** What an operator or payer may do with it now. */
export type TimelineAction = "resolveSettled" | "resolveRefused" | "return" | "approve" | "decline";

export interface Timeline {
  readonly kind: TimelineKind;
  readonly referenceNo: string;
  /** `X-PARTNER-ID`. */
  readonly partnerId: string;
  /** Of a bulk: `partnerBulkId`. */
  readonly partnerReferenceNo: string | undefined;
  /** `X-EXTERNAL-ID`. */
  readonly externalId: string;
  /** Service code as a number. */
  readonly service: number;
  /** Business times (epoch ms). */
  readonly acceptedAt: number;
  readonly expiresAt?: number;
  /** `latestTransactionStatus`. */
  readonly status: string;
  readonly state: string;
  /** Of the state, as a sentence. */
  readonly meaning: string;
  /** ISO 4217. */
  readonly currency: string;
  /** Minor units; undefined: a payment request's open amount. */
  readonly amount: bigint | undefined;
  readonly fee?: bigint;
  readonly rail?: string;
  readonly traceNo?: string | undefined;
  readonly merchantId?: string;
  readonly hold?: Pick<HoldDetails, "held" | "captured" | "voided" | "expired" | "remaining" | "refunded">;
  readonly bulk?: Pick<BulkDetails, "itemCount" | "settledCount" | "rejectedCount" | "returnedCount" | "openCount">;
  /** Of an item of a bulk. */
  readonly itemOf?: TransferDetails["bulk"];
  readonly sides: readonly Side[];
  /** Oldest first. */
  readonly events: readonly TimelineEvent[];
  /** Whether the oldest changes of a payment were left out. */
  readonly isCut: boolean;
  /** What an operator, or the payer, may do now. */
  readonly actions: readonly TimelineAction[];
}

/** By any number of ours: also of a capture, void, refund, approval, or of the journal of a result. */
export async function findTimeline(deps: QueryDeps, number: string): Promise<Timeline | undefined> {
  const id = fromReferenceNo(number);
  if (id === undefined) return undefined;
  const [request] = await listAcceptedRequests(deps.pool, [id]);
  const { noun, rail } = operationByCode(request?.service ?? "")?.about ?? {};
  if (request && noun === "transfer" && rail === undefined) return timelineOfIntrabank(deps, request);
  if (noun === "hold") return timelineOfHold(deps, number);
  const paymentRequest = await findPaymentRequest(deps, number);
  if (paymentRequest) return timelineOfPaymentRequest(deps, paymentRequest);
  const transfer = await findTransfer(deps, number);
  if (transfer) return timelineOfTransfer(deps, transfer);
  const bulk = noun === "bulk" ? await findBulk(deps, number) : undefined;
  return bulk && timelineOfBulk(deps, bulk);
}

async function timelineOfIntrabank(deps: QueryDeps, request: AcceptedRequest): Promise<Timeline> {
  const { id, partner, service, facts, at, externalId } = request;
  const { amount: money, partnerReferenceNo, ...parties } = parseFacts<TransferFacts>(facts).request;
  const amount = parseMinor(money.value, currencyScale(money.currency) ?? 0) ?? minor(0n);
  const referenceNo = toReferenceNo(id);
  const postings = await listPostings(deps, [id]);
  const events = [
    requestedEvent({ at, service, externalId, partnerReferenceNo }),
    settledEvent({ referenceNo, amount, at, postings }),
  ];
  const sides = await Promise.all([
    findSide(deps, { role: "payer", accountNo: parties.sourceAccountNo }, events),
    findSide(deps, { role: "beneficiary", accountNo: parties.beneficiaryAccountNo }, events),
  ]);
  return {
    kind: "transfer",
    referenceNo,
    partnerId: partnerIdOf(deps, partner),
    partnerReferenceNo,
    externalId,
    service,
    acceptedAt: at,
    status: "00",
    state: "settled",
    meaning: "The beneficiary has it",
    currency: money.currency,
    amount,
    sides,
    events,
    isCut: false,
    actions: [],
  };
}

async function timelineOfHold(deps: QueryDeps, number: string): Promise<Timeline | undefined> {
  const hold = await findHold(deps, number);
  const id = hold && fromReferenceNo(hold.referenceNo);
  if (!hold || id === undefined) return undefined;
  const [request] = await listAcceptedRequests(deps.pool, [id]);
  const events = inOrder(await eventsOfHold(deps, hold, request));
  const { payer, settlement, payerAccountNo, settlementAccountNo, ...facts } = hold;
  return {
    ...facts,
    kind: "payment",
    externalId: request?.externalId ?? "",
    service: Number(operations.authPayment.code),
    acceptedAt: hold.placedAt,
    amount: hold.held,
    hold,
    sides: [
      sideOf({ role: "payer", accountNo: payerAccountNo, account: payer }, events),
      sideOf({ role: "merchant", accountNo: settlementAccountNo, account: settlement }, events),
    ],
    events,
    isCut: hold.events > changesMax,
    actions: [],
  };
}

const actionNames: Readonly<Record<TransferResolution, TimelineAction>> = {
  settled: "resolveSettled",
  rejected: "resolveRefused",
  returned: "return",
};

async function timelineOfTransfer(deps: QueryDeps, transfer: TransferDetails): Promise<Timeline> {
  const { referenceNo, acceptedAt, service, externalId, partnerReferenceNo, sentAmount, bulk, ...facts } = transfer;
  const events = inOrder([
    requestedEvent({ at: acceptedAt, service, externalId, partnerReferenceNo }),
    ...eventsOfTransfer(transfer),
    ...(await eventsOfNotifications(deps, referenceNo)),
  ]);
  return {
    ...facts,
    kind: bulk === undefined ? "transfer" : "bulkItem",
    referenceNo,
    acceptedAt,
    service,
    externalId,
    partnerReferenceNo,
    amount: sentAmount,
    itemOf: bulk,
    sides: sidesOfTransfer(transfer, events),
    events,
    isCut: false,
    actions: transfer.possibleDecisions.map((decision) => actionNames[decision]),
  };
}

function sidesOfTransfer(transfer: TransferDetails, events: readonly TimelineEvent[]): readonly Side[] {
  const { payer, payerAccountNo, beneficiary, beneficiaryBankName: bankName } = transfer;
  return [
    sideOf({ role: "payer", accountNo: payerAccountNo, account: payer }, events),
    sideOf({ role: "beneficiary", ...beneficiary, bankName }, events),
  ];
}

const paymentRequestService = Number(operations.requestForPayment.code);

async function timelineOfPaymentRequest(deps: QueryDeps, request: PaymentRequestDetails): Promise<Timeline> {
  const { acceptedAt, externalId, partnerReferenceNo, transfer, beneficiary } = request;
  const events = inOrder([
    requestedEvent({ at: acceptedAt, service: paymentRequestService, externalId, partnerReferenceNo }),
    ...answerOf(request),
    ...(transfer ? eventsOfTransfer(transfer, true) : []),
  ]);
  const { accountNo, name, bankCode, isOurs } = beneficiary;
  const bankName = request.beneficiaryBankName;
  return {
    ...request,
    kind: "paymentRequest",
    service: paymentRequestService,
    amount: request.approvedAmount ?? request.requestedAmount,
    ...(transfer && { fee: transfer.fee, rail: transfer.rail, traceNo: transfer.traceNo }),
    sides: [
      sideOf({ role: "payer", accountNo: request.payerAccountNo, account: request.payer }, events),
      isOurs
        ? await findSide(deps, { role: "beneficiary", accountNo }, events)
        : sideOf({ role: "beneficiary", accountNo, name, bankCode, bankName }, events),
    ],
    events,
    isCut: false,
    actions:
      request.state === "waiting"
        ? ["approve", "decline"]
        : (transfer?.possibleDecisions ?? []).map((decision) => actionNames[decision]),
  };
}

function answerOf(request: PaymentRequestDetails): readonly TimelineEvent[] {
  const { state, answeredAt: at, answeredBy: by, approvedAmount: amount, expiresAt, postings } = request;
  if (state === "approved")
    return [{ kind: "approved", at, by, amount, referenceNo: postings[0]?.referenceNo, postings }];
  if (state === "declined") return [{ kind: "declined", at, by, postings: [] }];
  return state === "expired" ? [{ kind: "expired", at: expiresAt, by: "service", postings: [] }] : [];
}

const bulkService = Number(operations.interbankBulkTransfer.code);

async function timelineOfBulk(deps: QueryDeps, bulk: BulkDetails): Promise<Timeline> {
  const { bulkId: referenceNo, partnerBulkId: partnerReferenceNo, acceptedAt, externalId, endedAt } = bulk;
  const { amount, fee, postings, openCount, payer, payerAccountNo } = bulk;
  const events = inOrder([
    requestedEvent({ at: acceptedAt, service: bulkService, externalId, partnerReferenceNo }),
    { kind: "accepted", at: acceptedAt, referenceNo, amount: amount + fee, by: "service", postings },
    ...(endedAt === undefined ? [] : [{ kind: "ended", at: endedAt, by: "service", postings: [] } as const]),
    ...(await eventsOfNotifications(deps, referenceNo)),
  ]);
  return {
    kind: "bulk",
    referenceNo,
    partnerId: bulk.partnerId,
    partnerReferenceNo,
    externalId,
    service: bulkService,
    acceptedAt,
    status: bulk.status,
    state: openCount > 0 ? "open" : "ended",
    meaning: bulk.description,
    currency: bulk.currency,
    amount,
    fee,
    rail: operations.interbankBulkTransfer.about.rail,
    bulk,
    sides: [sideOf({ role: "payer", accountNo: payerAccountNo, account: payer }, events)],
    events,
    isCut: false,
    actions: [],
  };
}
