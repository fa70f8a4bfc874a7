/** What a number names, summed up: an accepted request's payment, transfer, payment request, bulk or item of one. */
import { toReferenceNo } from "../../basics/ids.ts";
import { minor, parseMinor } from "../../ledger/money.ts";
import { currencyScale, type Noun, operationByCode } from "@titian/contract";
import { parseFacts, type TransferFacts } from "../../operations/stored-facts.ts";
import type { AcceptedRequest } from "../../store/tables/requests/accepted-requests.ts";
import { findBulk } from "../transfers/bulks.ts";
import { findHold } from "../holds/holds.ts";
import { findPaymentRequest } from "../transfers/payment-requests.ts";
import { partnerIdOf, type QueryDeps } from "../query-deps.ts";
import type { RejectionSummary } from "../rejections.ts";
import type { TimelineKind } from "./timeline-event.ts";
import { findTransfer } from "../transfers/transfers.ts";

/** What a number names. `rejection`: a request that was rejected and has no timeline. `account`: it has no `referenceNo`. */
export type MatchKind = TimelineKind | "account" | "notification" | "rejection";

export interface NumberMatch<By extends string = string> {
  readonly kind: MatchKind;
  readonly matchedBy: By;
  /** Of what it names, and of what a notification is about. */
  readonly referenceNo?: string | undefined;
  /** The payer's; the account itself. */
  readonly accountNo?: string | undefined;
  /** `X-PARTNER-ID`. */
  readonly partnerId?: string | undefined;
  /** Service code as a number. */
  readonly service?: number | undefined;
  /** `latestTransactionStatus`. */
  readonly status?: string | undefined;
  readonly state?: string | undefined;
  /** Minor units. */
  readonly amount?: bigint | undefined;
  /** ISO 4217. */
  readonly currency?: string | undefined;
  /** Of the beneficiary, the merchant or the holder. */
  readonly name?: string | undefined;
  /** Business time (epoch ms). */
  readonly at?: number | undefined;
  readonly rejection?: RejectionSummary | undefined;
}

export type FoundMatch = Omit<NumberMatch, "matchedBy">;

type Describe = (deps: QueryDeps, request: AcceptedRequest) => Promise<FoundMatch | undefined>;

const byNoun: Readonly<Partial<Record<Noun, Describe>>> = {
  transfer: describeTransfer,
  paymentRequest: describePaymentRequest,
  bulk: async (deps, request) => (await describeItem(deps, request)) ?? describeBulk(deps, request),
  hold: describePayment,
};

/** Undefined: it is of a service that begins nothing. */
export async function describeRequest(deps: QueryDeps, request: AcceptedRequest): Promise<FoundMatch | undefined> {
  const { noun, rail } = operationByCode(request.service)?.about ?? {};
  if (noun === undefined) return undefined;
  return noun === "transfer" && rail === undefined ? describeIntrabank(deps, request) : byNoun[noun]?.(deps, request);
}

function describeIntrabank(deps: QueryDeps, { id, partner, service, facts, at }: AcceptedRequest): FoundMatch {
  const { amount, sourceAccountNo } = parseFacts<TransferFacts>(facts).request;
  return {
    kind: "transfer",
    referenceNo: toReferenceNo(id),
    partnerId: partnerIdOf(deps, partner),
    service,
    accountNo: sourceAccountNo,
    status: "00",
    state: "settled",
    amount: parseMinor(amount.value, currencyScale(amount.currency) ?? 0) ?? minor(0n),
    currency: amount.currency,
    at,
  };
}

async function describeTransfer(deps: QueryDeps, { id, service }: AcceptedRequest): Promise<FoundMatch | undefined> {
  const transfer = await findTransfer(deps, toReferenceNo(id));
  if (!transfer) return undefined;
  const { referenceNo, partnerId, payerAccountNo, beneficiary, sentAmount, currency, state, status } = transfer;
  return {
    kind: "transfer",
    referenceNo,
    partnerId,
    service,
    accountNo: payerAccountNo,
    status,
    state,
    amount: sentAmount,
    currency,
    name: beneficiary.name,
    at: transfer.acceptedAt,
  };
}

async function describeItem(deps: QueryDeps, request: AcceptedRequest): Promise<FoundMatch | undefined> {
  const found = await describeTransfer(deps, request);
  return found && { ...found, kind: "bulkItem" };
}

async function describeBulk(deps: QueryDeps, { id, service }: AcceptedRequest): Promise<FoundMatch | undefined> {
  const bulk = await findBulk(deps, toReferenceNo(id));
  if (!bulk) return undefined;
  const { bulkId, partnerId, payerAccountNo, amount, currency, status, openCount, acceptedAt } = bulk;
  const state = openCount > 0 ? "open" : "ended";
  const accountNo = payerAccountNo;
  return {
    kind: "bulk",
    referenceNo: bulkId,
    partnerId,
    service,
    accountNo,
    status,
    state,
    amount,
    currency,
    at: acceptedAt,
  };
}

async function describePaymentRequest(
  deps: QueryDeps,
  { id, service }: AcceptedRequest,
): Promise<FoundMatch | undefined> {
  const request = await findPaymentRequest(deps, toReferenceNo(id));
  if (!request) return undefined;
  const { referenceNo, partnerId, payerAccountNo, beneficiary, currency, status, state } = request;
  return {
    kind: "paymentRequest",
    referenceNo,
    partnerId,
    service,
    accountNo: payerAccountNo,
    status,
    state,
    amount: request.approvedAmount ?? request.requestedAmount,
    currency,
    name: beneficiary.name,
    at: request.acceptedAt,
  };
}

async function describePayment(deps: QueryDeps, { id, service }: AcceptedRequest): Promise<FoundMatch | undefined> {
  const hold = await findHold(deps, toReferenceNo(id));
  if (!hold) return undefined;
  const { referenceNo, partnerId, payerAccountNo, merchantId, held, currency, status, state, placedAt } = hold;
  return {
    kind: "payment",
    referenceNo,
    partnerId,
    service,
    accountNo: payerAccountNo,
    status,
    state,
    amount: held,
    currency,
    name: merchantId,
    at: placedAt,
  };
}
