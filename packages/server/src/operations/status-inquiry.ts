/** Status inquiries of a transfer, for banks (36) and others (53): both read the same records and answer alike (spec D15). */
import {
  operationByCode,
  type RequestOf,
  responseCode,
  type TransactionStatusCode,
  transactionStatuses,
} from "@titian/contract";
import type { Call, Handler, Reply } from "../interfaces/call.ts";
import type { Clock } from "../basics/clock.ts";
import { externalIdKey, partnerReferenceKey } from "../engine/batch/idempotency-keys.ts";
import { fromReferenceNo, toReferenceNo } from "../basics/ids.ts";
import { type Minor, zero } from "../ledger/money.ts";
import { firstResult } from "../ledger/transfers/first-result.ts";
import type { RailTransfer } from "../ledger/transfers/transfer.ts";
import { transferStates } from "../ledger/transfers/states.ts";
import { paymentRequestState, paymentRequestStates } from "../ledger/payment-requests/states.ts";
import type { Reads } from "../store/reads/reads.ts";
import type { RequestReferences } from "../store/reads/accepted-requests.ts";
import { bankCodeOf, parsePayload, type PaymentRequestPayload, type TransferPayload } from "./stored-payload.ts";
import { withDecimals, writeMoney } from "./money.ts";
import { rejectionOf } from "./rejection-cases.ts";
import type { BulkPayload, RejectedBulkPayload } from "./bulks/bulk-payload.ts";
import { asTransfer, inquireBulk } from "./bulks/bulk-inquiry.ts";
import { readPaymentRequestStatus } from "./transfers/request-for-payment.ts";

type Inquiry = RequestOf<"statusInquiryBank">;

export interface InquiryDeps {
  readonly reads: Reads;
  readonly clock: Pick<Clock, "now">;
  /** Shortest time for which external ids are kept (ms, whole days). */
  readonly keepExternalIdsMs: number;
}

export function handleStatusInquiry(deps: InquiryDeps): Handler {
  const { reads } = deps;
  return async (call) => {
    // 53 has four more fields, which are not looked up.
    const inquiry = call.request as Inquiry;
    const { serviceCode, originalExternalId } = inquiry;
    const references = referencesIn(call, inquiry);
    const accepted = await findFirst(references, async (some) => {
      const record = await reads.findAcceptedRequest(some);
      return originalExternalId === undefined || record?.externalId === originalExternalId ? record : undefined;
    });
    if (accepted) {
      const referenceNo = toReferenceNo(accepted.id);
      return found(serviceCode, await inquire(accepted, serviceCode, deps), {
        referenceNumber: referenceNo,
        originalReferenceNo: referenceNo,
        originalExternalId: accepted.externalId,
      });
    }
    const rejected = await findFirst(references, reads.findRejectedRequest);
    // Under an id that may have been given up since, a later send may have been accepted.
    if (!rejected || (isByExternalId(inquiry) && rejected.at < deps.clock.now() - deps.keepExternalIdsMs)) {
      return notFound(inquiry, deps);
    }
    const { kind, field, payload } = rejected;
    const rejection = rejectionOf({ kind, field }, serviceCode);
    const request = requestOfRejected(payload, serviceCode);
    // A later send of the same number may have been accepted.
    const terms = { previous: rejection.responseCode, fee: zero, rejection, isFinal: false };
    const became = { request, status: "06", ...terms } as const;
    // Mandatory in the response, and a rejected transfer has none.
    return found(serviceCode, became, { referenceNumber: "" });
  };
}

/** Request that the services ask about: all of a transfer, or a payment request, whose amount may be open. */
type InquiredRequest = Partial<TransferPayload["request"]> & Partial<PaymentRequestPayload["request"]>;

/** Accepted request. */
type Accepted = NonNullable<Awaited<ReturnType<Reads["findAcceptedRequest"]>>>;

interface StatusResult {
  readonly request: InquiredRequest;
  readonly status: TransactionStatusCode;
  /** More of it in words; absent: the standard's. */
  readonly description?: string | undefined;
  /** The response code its call was answered with. */
  readonly previous: string;
  /** The fee, unless it was returned. */
  readonly fee: Minor;
  /** Code and message of a rejected transfer's rejection. */
  readonly rejection?: ReturnType<typeof rejectionOf>;
  /** Items of a bulk, counted by their results. */
  readonly counts?: Readonly<Record<string, string>>;
  /** True: only its rail can still change it, by a return. */
  readonly isFinal: boolean;
}

/** A rejected bulk is recorded without its items. */
function requestOfRejected(payload: string, serviceCode: string): InquiredRequest {
  if (operationByCode(serviceCode)?.about.noun !== "bulk")
    return parsePayload<{ readonly request: InquiredRequest }>(payload).request;
  const { request, total } = parsePayload<RejectedBulkPayload & Pick<BulkPayload, "request">>(payload);
  return asTransfer(request, total);
}

/** An intrabank transfer is final at once; a transfer over a rail has a row of its own, and so has a payment request. */
async function inquire(accepted: Accepted, serviceCode: string, deps: InquiryDeps): Promise<StatusResult> {
  const { id, service, payload } = accepted;
  const row = operationByCode(service);
  if (row?.about.noun === "paymentRequest") return inquirePaymentRequest(accepted, serviceCode, deps);
  const transfer = row?.about.rail === undefined ? undefined : await deps.reads.findTransfer(id);
  const bulk = row?.about.noun === "bulk" && !transfer ? await deps.reads.findBulk(id) : undefined;
  if (bulk) return inquireBulk(bulk, parsePayload<BulkPayload>(payload));
  const { request } = parsePayload<TransferPayload>(payload);
  const previous = responseCode("success", serviceCode);
  if (!transfer) return { request, status: "00", previous, fee: zero, isFinal: true };
  const result = { request, ...resultOf(transfer, serviceCode) };
  const isAnsweredByRail = row?.cases.includes("requestInProgress") === true;
  return { ...result, previous: isAnsweredByRail ? firstCode(transfer, serviceCode) : previous };
}

/** An open amount is known once it is approved. */
async function inquirePaymentRequest(
  { id, payload }: Accepted,
  serviceCode: string,
  deps: InquiryDeps,
): Promise<StatusResult> {
  const { request, currency } = parsePayload<PaymentRequestPayload>(payload);
  const { status, paymentRequest, transfer } = await readPaymentRequestStatus(id, deps);
  const amount = paymentRequest.approvedAmount ?? paymentRequest.requestedAmount;
  const { meaning } = paymentRequestStates[paymentRequestState(paymentRequest, deps.clock.now())];
  return {
    request: { ...request, currency, ...(amount !== undefined && { amount: writeMoney({ amount, currency }) }) },
    previous: responseCode("success", serviceCode),
    // One that has expired by the time alone may have been answered before.
    ...(transfer
      ? resultOf(transfer, serviceCode)
      : { status, fee: zero, isFinal: paymentRequest.state !== "waiting" }),
    // Declined, or expired.
    ...(status === "05" && { description: meaning }),
  };
}

function resultOf({ state, rejection, fee, resolvedBy }: RailTransfer, serviceCode: string) {
  const isRejected = state === "rejected";
  return {
    status: transferStates[state].status,
    isFinal: resolvedBy !== undefined,
    fee: isRejected ? zero : fee,
    ...(isRejected && { rejection: rejectionOf({ kind: rejection ?? "rejectedByRail" }, serviceCode) }),
  };
}

/** The first response to an interbank transfer (18) has the rail's result, if that came within the call. */
function firstCode(transfer: RailTransfer, serviceCode: string): string {
  const first = firstResult(transfer);
  if (first.kind === "rejected") return rejectionOf({ kind: first.rejection }, serviceCode).responseCode;
  return responseCode(first.kind === "settled" ? "success" : "requestInProgress", serviceCode);
}

function isByExternalId({ originalPartnerReferenceNo, originalReferenceNo }: Inquiry): boolean {
  return originalPartnerReferenceNo === undefined && originalReferenceNo === undefined;
}

const dayMs = 86_400_000;

/** By its external id alone a request that was accepted longer ago is not found either, and its caller must not take it for none. */
function notFound(inquiry: Inquiry, { keepExternalIdsMs }: InquiryDeps): Reply {
  const days = keepExternalIdsMs / dayMs;
  return {
    case: "transactionNotFound",
    ...(isByExternalId(inquiry) && {
      reason: `External ids are kept ${days} ${days === 1 ? "day" : "days"}, numbers for ever`,
    }),
    fields: statusFields("07"),
  };
}

/** References as candidates, in turn; none when one of them cannot be ours. */
function referencesIn(call: Call, inquiry: Inquiry): readonly RequestReferences[] {
  const { originalPartnerReferenceNo: number, originalReferenceNo, originalExternalId, serviceCode } = inquiry;
  const partner = call.partner.key;
  const id = originalReferenceNo === undefined ? undefined : fromReferenceNo(originalReferenceNo);
  if (originalReferenceNo !== undefined && id === undefined) return [];
  const keyOf = (...kind: readonly string[]) =>
    number === undefined ? undefined : partnerReferenceKey(partner, serviceCode, ...kind, number);
  const named = {
    partner,
    service: Number(serviceCode),
    id,
    externalIdKey: originalExternalId === undefined ? undefined : externalIdKey(partner, originalExternalId),
    partnerReferenceKey: keyOf(),
  };
  if (operationByCode(serviceCode)?.about.noun !== "bulk") return [named];
  const bulk = { ...named, partnerReferenceKey: keyOf("bulk") };
  // An item has the external id of its bulk, which is no key of its own.
  const item = { ...named, externalIdKey: undefined };
  return id === undefined && number === undefined ? [bulk] : [item, bulk];
}

async function findFirst<Found>(
  references: readonly RequestReferences[],
  find: (references: RequestReferences) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  for (const one of references) {
    const record = await find(one);
    if (record !== undefined) return record;
  }
  return undefined;
}

/** All values are from the record, none from the inquiry. */
function found(
  serviceCode: string,
  { request, status, description, previous, fee, rejection, counts, isFinal }: StatusResult,
  references: Readonly<Record<string, string>>,
): Reply {
  const { amount, currency = amount?.currency } = request;
  return {
    case: "success",
    isFinal,
    fields: {
      ...references,
      originalPartnerReferenceNo: request.partnerReferenceNo,
      serviceCode,
      transactionDate: request.transactionDate,
      // A rejected request is kept as it was sent; responses carry the currency's decimals.
      amount: amount && withDecimals(amount),
      beneficiaryAccountNo: request.beneficiaryAccountNo,
      beneficiaryBankCode: bankCodeOf(request),
      sourceAccountNo: request.sourceAccountNo,
      previousResponseCode: previous,
      ...statusFields(status),
      ...(description !== undefined && { transactionStatusDesc: description }),
      ...(rejection && { transactionStatusDesc: describeRejection(rejection) }),
      additionalInfo: { fee: currency && writeMoney({ amount: fee, currency }).value, rejection, ...counts },
    },
  };
}

/** As much of code and message as the field holds (the standard's 50 characters). */
function describeRejection({ responseCode: code, responseMessage }: NonNullable<StatusResult["rejection"]>): string {
  return `${code} ${responseMessage}`.slice(0, 50);
}

function statusFields(status: TransactionStatusCode): Readonly<Record<string, string>> {
  return { latestTransactionStatus: status, transactionStatusDesc: transactionStatuses[status].description };
}
