/** Transfers by their partner's `partnerReferenceNo` or `X-EXTERNAL-ID`. */
import { writesOf } from "@titian/contract";
import { toReferenceNo } from "../../basics/ids.ts";
import { parseFacts, type TransferFacts } from "../../operations/stored-facts.ts";
import { findAcceptedRequest, findRejectedRequest } from "../../store/reads/accepted-requests.ts";
import { findBulk } from "../../store/reads/bulks.ts";
import type { AcceptedRequest } from "../../store/tables/requests/accepted-requests.ts";
import { byId, referencesOf } from "../partner-references.ts";
import { findPaymentRequest, type PaymentRequestDetails } from "./payment-requests.ts";
import { listPostings, type PostingSummary } from "../accounts/postings.ts";
import type { QueryDeps } from "../query-deps.ts";
import { type RejectionSummary, summarizeRejection } from "../rejections.ts";
import { findTransfer, type TransferDetails } from "./transfers.ts";

export interface AcceptedTransferRequest {
  readonly referenceNo: string;
  /** Service code as a number. */
  readonly service: number;
  /** Business time (epoch ms). */
  readonly acceptedAt: number;
}

/** An intrabank transfer (17), settled within its call. */
export interface IntrabankTransferDetails {
  readonly referenceNo: string;
  /** Business time (epoch ms). */
  readonly settledAt: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly postings: readonly PostingSummary[];
}

export interface RejectedTransferRequest extends RejectionSummary {
  /** Business time (epoch ms). */
  readonly rejectedAt: number;
}

export type TransferOfPartner =
  | { readonly kind: "rail"; readonly transfer: TransferDetails }
  | { readonly kind: "intrabank"; readonly transfer: IntrabankTransferDetails }
  /** Not approved, or paid within the bank. */
  | { readonly kind: "paymentRequest"; readonly paymentRequest: PaymentRequestDetails }
  /** Not a transfer, but many: `findBulk` reads it. */
  | { readonly kind: "bulk"; readonly bulkId: string }
  /** The number is of several requests, oldest first: their referenceNo tells them apart. */
  | { readonly kind: "several"; readonly requests: readonly AcceptedTransferRequest[] }
  /** Nothing was accepted: the newest rejection of each service, oldest first. */
  | { readonly kind: "rejected"; readonly rejections: readonly RejectedTransferRequest[] }
  | { readonly kind: "unknownNumber" }
  | { readonly kind: "unknownPartner" };

const writes = writesOf("transfer", "paymentRequest", "bulk");

/** @param number a `partnerReferenceNo` or an `X-EXTERNAL-ID` */
export async function findTransferOfPartner(
  deps: QueryDeps,
  partnerId: string,
  number: string,
): Promise<TransferOfPartner> {
  const { pool, reference } = deps;
  const partner = reference.byPartnerId(partnerId)?.key;
  if (partner === undefined) return { kind: "unknownPartner" };
  const wanted = writes.flatMap(({ code }) => referencesOf(partner, code, number));
  const accepted = byId(await Promise.all(wanted.map((one) => findAcceptedRequest(pool, one))));
  const [write] = accepted;
  if (accepted.length > 1) return { kind: "several", requests: accepted.map(summarizeWrite) };
  if (write) return describeWrite(deps, write);
  const rejections = byId(await Promise.all(wanted.map((one) => findRejectedRequest(pool, one))));
  if (rejections.length === 0) return { kind: "unknownNumber" };
  return {
    kind: "rejected",
    rejections: rejections.map(({ service, at, ...rejection }) => ({
      ...summarizeRejection(service, rejection),
      rejectedAt: at,
    })),
  };
}

function summarizeWrite({ id, service, at }: AcceptedRequest): AcceptedTransferRequest {
  return { referenceNo: toReferenceNo(id), service, acceptedAt: at };
}

async function describeWrite(deps: QueryDeps, { id, facts, at }: AcceptedRequest): Promise<TransferOfPartner> {
  const referenceNo = toReferenceNo(id);
  const transfer = await findTransfer(deps, referenceNo);
  if (transfer) return { kind: "rail", transfer };
  const paymentRequest = await findPaymentRequest(deps, referenceNo);
  if (paymentRequest) return { kind: "paymentRequest", paymentRequest };
  if (await findBulk(deps.pool, id)) return { kind: "bulk", bulkId: referenceNo };
  const { currency } = parseFacts<TransferFacts>(facts).request.amount;
  const postings = await listPostings(deps, [id]);
  return { kind: "intrabank", transfer: { referenceNo, settledAt: at, currency, postings } };
}
