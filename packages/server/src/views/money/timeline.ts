/**
 * Where the money of a payment, transfer, payment request, bulk or item of one is, and what happened to it: composed of
 * what the other queries know of it.
 */
import { currencyScale, operationByCode, operations } from "@titian/contract";
import { fromReferenceNo, toReferenceNo } from "../../basics/ids.ts";
import { minor, parseMinor } from "../../ledger/money.ts";
import type { TransferState } from "../../ledger/transfers/states.ts";
import type { TransferResolution } from "../../rails/commands/resolve-transfer.ts";
import { parsePayload, type TransferPayload } from "../../operations/stored-payload.ts";
import { listAcceptedRequests } from "../../store/reads/accepted-requests.ts";
import type { AcceptedRequest } from "../../store/tables/requests/accepted-requests.ts";
import { type BulkDetails, countsOf, findBulk } from "../transfers/bulks.ts";
import { findHold } from "../holds/holds.ts";
import { findPaymentRequest, type PaymentRequestDetails } from "../transfers/payment-requests.ts";
import { listPostings } from "../accounts/postings.ts";
import { partnerIdOf, type QueryDeps } from "../query-deps.ts";
import { inOrder, requestedEvent, type TimelineEvent } from "./timeline-event.ts";
import { eventsOfActs, findActsOf, openActOf } from "./timeline-of-acts.ts";
import { changesMax, eventsOfHold } from "./timeline-of-hold.ts";
import { eventsOfTransfer } from "./timeline-of-transfer.ts";
import { eventsOfNotifications, findSide, sideOf } from "./timeline-parts.ts";
import { findTransfer, type TransferDetails } from "../transfers/transfers.ts";

/** Actions that an operator, or the payer, may take with it now. */
type Action = "resolveSettled" | "resolveRefused" | "return" | "approve" | "decline";

/** By any number of ours: also of a capture, void, refund, approval, or of the journal of a result. */
export async function findTimeline(deps: QueryDeps, number: string) {
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

const operationOf = (serviceCode: string) => ({ serviceCode, operation: operationByCode(serviceCode)?.name ?? "" });

async function timelineOfIntrabank(deps: QueryDeps, request: AcceptedRequest) {
  const { id, partner, payload, at, externalId } = request;
  const serviceCode = String(request.service);
  const { amount: money, partnerReferenceNo, ...parties } = parsePayload<TransferPayload>(payload).request;
  const amount = parseMinor(money.value, currencyScale(money.currency) ?? 0) ?? minor(0n);
  const referenceNo = toReferenceNo(id);
  const postings = await listPostings(deps, [id]);
  const events: readonly TimelineEvent[] = [
    requestedEvent({ at, serviceCode, externalId, partnerReferenceNo }),
    // It settled as it was accepted.
    { kind: "settled", at, referenceNo, amount, by: "service", postings },
  ];
  const sides = await Promise.all([
    findSide(deps, { role: "payer", accountNo: parties.sourceAccountNo }, events),
    findSide(deps, { role: "beneficiary", accountNo: parties.beneficiaryAccountNo }, events),
  ]);
  return {
    ...operationOf(serviceCode),
    kind: "transfer" as const,
    referenceNo,
    partnerId: partnerIdOf(deps, partner),
    partnerReferenceNo,
    externalId,
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

async function timelineOfHold(deps: QueryDeps, number: string) {
  const hold = await findHold(deps, number);
  const id = hold && fromReferenceNo(hold.referenceNo);
  if (!hold || id === undefined) return undefined;
  const [request] = await listAcceptedRequests(deps.pool, [id]);
  const events = inOrder(await eventsOfHold(deps, hold, request));
  const { payer, settlement, payerAccountNo, settlementAccountNo, ...facts } = hold;
  return {
    ...facts,
    ...operationOf(operations.authPayment.code),
    kind: "payment" as const,
    externalId: request?.externalId ?? "",
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

const actionNames: Readonly<Record<TransferResolution, Action>> = {
  settled: "resolveSettled",
  rejected: "resolveRefused",
  returned: "return",
};

async function timelineOfTransfer(deps: QueryDeps, transfer: TransferDetails) {
  const { referenceNo, acceptedAt, externalId, partnerReferenceNo, bulk } = transfer;
  const serviceCode = String(transfer.service);
  const acts = await findActsOf(deps, referenceNo);
  const own = eventsOfTransfer(transfer);
  const events = inOrder([
    // Before what they led to, where the time is the same.
    ...eventsOfActs(deps, acts, own),
    requestedEvent({ at: acceptedAt, serviceCode, externalId, partnerReferenceNo }),
    ...own,
    ...(await eventsOfNotifications(deps, referenceNo)),
  ]);
  return {
    ...transfer,
    ...operationOf(serviceCode),
    kind: bulk === undefined ? ("transfer" as const) : ("bulkItem" as const),
    amount: transfer.sentAmount,
    returnedFee: returnedFeeOf([transfer]),
    bulkId: bulk?.bulkId,
    bulkPosition: bulk?.position,
    sides: sidesOfTransfer(transfer, events),
    events,
    isCut: false,
    openAct: openActOf(acts),
    actions: transfer.possibleDecisions.map((decision) => actionNames[decision]),
  };
}

/** Fees of what its rail rejected; undefined: none went back. After a return of settled money the fee stays. */
function returnedFeeOf(parts: readonly { readonly state: TransferState; readonly fee: bigint }[]): bigint | undefined {
  const sum = parts.reduce((fees, { state, fee }) => (state === "rejected" ? fees + fee : fees), 0n);
  return sum === 0n ? undefined : sum;
}

function sidesOfTransfer(transfer: TransferDetails, events: readonly TimelineEvent[]) {
  const { payer, payerAccountNo, beneficiary, beneficiaryBankName: bankName } = transfer;
  return [
    sideOf({ role: "payer", accountNo: payerAccountNo, account: payer }, events),
    sideOf({ role: "beneficiary", ...beneficiary, bankName }, events),
  ];
}

async function timelineOfPaymentRequest(deps: QueryDeps, request: PaymentRequestDetails) {
  const { acceptedAt, externalId, partnerReferenceNo, transfer, beneficiary } = request;
  const acts = transfer ? await findActsOf(deps, transfer.referenceNo) : [];
  const own = transfer ? eventsOfTransfer(transfer, true) : [];
  const events = inOrder([
    ...eventsOfActs(deps, acts, own),
    requestedEvent({
      at: acceptedAt,
      serviceCode: operations.requestForPayment.code,
      externalId,
      partnerReferenceNo,
    }),
    ...answerOf(request),
    ...own,
  ]);
  const { accountNo, name, bankCode, isOurs } = beneficiary;
  const bankName = request.beneficiaryBankName;
  return {
    ...request,
    ...operationOf(operations.requestForPayment.code),
    kind: "paymentRequest" as const,
    amount: request.approvedAmount ?? request.requestedAmount,
    ...(transfer && {
      fee: transfer.fee,
      returnedFee: returnedFeeOf([transfer]),
      rail: transfer.rail,
      traceNo: transfer.traceNo,
    }),
    sides: [
      sideOf({ role: "payer", accountNo: request.payerAccountNo, account: request.payer }, events),
      isOurs
        ? await findSide(deps, { role: "beneficiary", accountNo }, events)
        : sideOf({ role: "beneficiary", accountNo, name, bankCode, bankName }, events),
    ],
    events,
    isCut: false,
    openAct: openActOf(acts),
    actions:
      request.state === "waiting"
        ? (["approve", "decline"] as const)
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

async function timelineOfBulk(deps: QueryDeps, bulk: BulkDetails) {
  const { bulkId: referenceNo, partnerBulkId: partnerReferenceNo, acceptedAt, externalId, endedAt } = bulk;
  const { code, about } = operations.interbankBulkTransfer;
  const { amount, fee, postings, openCount, payer, payerAccountNo } = bulk;
  const events = inOrder([
    requestedEvent({ at: acceptedAt, serviceCode: code, externalId, partnerReferenceNo }),
    { kind: "accepted", at: acceptedAt, referenceNo, amount: amount + fee, by: "service", postings },
    ...(endedAt === undefined ? [] : [{ kind: "ended", at: endedAt, by: "service", postings: [] } as const]),
    ...(await eventsOfNotifications(deps, referenceNo)),
  ]);
  return {
    ...bulk,
    // An item's: this is the bulk itself.
    bulkId: undefined,
    ...operationOf(code),
    kind: "bulk" as const,
    referenceNo,
    partnerReferenceNo,
    state: openCount > 0 ? "open" : "ended",
    meaning: bulk.description,
    rail: about.rail,
    counts: countsOf(bulk),
    returnedFee: returnedFeeOf(bulk.states),
    sides: [sideOf({ role: "payer", accountNo: payerAccountNo, account: payer }, events)],
    events,
    isCut: false,
    actions: [],
  };
}
