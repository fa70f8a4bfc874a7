/** Transfers and bulks by a number of their partner's own, or by the `X-EXTERNAL-ID`. */
import { nounOf, operations, writesOf } from "@titian/contract";
import { toReferenceNo } from "../../basics/ids.ts";
import { externalIdKey, partnerReferenceKey } from "../../engine/batch/idempotency-keys.ts";
import { parsePayload, type TransferPayload } from "../../operations/stored-payload.ts";
import {
  findAcceptedRequest,
  findRejectedRequest,
  type RequestReferences,
} from "../../store/reads/accepted-requests.ts";
import { findBulk as readBulk, findBulkOf } from "../../store/reads/bulks.ts";
import type { AcceptedRequest } from "../../store/tables/requests/accepted-requests.ts";
import type { RejectedRequest } from "../../store/tables/requests/rejected-requests.ts";
import { listPostings } from "../accounts/postings.ts";
import type { QueryDeps, Shown } from "../query-deps.ts";
import { summarizeRejection } from "../rejections.ts";
import { findBulk } from "./bulks.ts";
import { findPaymentRequest } from "./payment-requests.ts";
import { findTransfer } from "./transfers.ts";

export type TransferOfPartner = Shown<typeof findTransferOfPartner>;
export type AcceptedTransferRequest = Shown<typeof summarizeWrite>;
export type RejectedTransferRequest = Shown<typeof summarizeRejected>;

const transferCodes = writesOf("transfer", "paymentRequest", "bulk").map(({ code }) => code);

/** @param number a `partnerReferenceNo` or an `X-EXTERNAL-ID` */
export async function findTransferOfPartner(deps: QueryDeps, partnerId: string, number: string) {
  const found = await findRequests(deps, partnerId, transferCodes, number);
  if (found.kind !== "accepted") return found;
  const [write, ...others] = found.requests;
  // Their referenceNo tells them apart.
  if (!write || others.length > 0) return { kind: "several", requests: found.requests.map(summarizeWrite) } as const;
  return describeWrite(deps, write);
}

/** @param number a `partnerBulkId`, the number of an item, or an `X-EXTERNAL-ID` */
export async function findBulkOfPartner(deps: QueryDeps, partnerId: string, number: string) {
  const found = await findRequests(deps, partnerId, [operations.interbankBulkTransfer.code], number);
  if (found.kind !== "accepted") return found;
  const bulks = await Promise.all(found.requests.map(({ id }) => findBulkOf(deps.pool, id)));
  const bulkIds = [...new Set(bulks.flatMap((one) => (one ? toReferenceNo(one.bulk.id) : [])))];
  const [bulkId] = bulkIds;
  if (bulkIds.length > 1) return { kind: "several", bulkIds } as const;
  const bulk = bulkId === undefined ? undefined : await findBulk(deps, bulkId);
  return bulk ? ({ kind: "bulk", bulk } as const) : ({ kind: "unknownNumber" } as const);
}

/** What a partner's number is of: accepted requests, else the newest rejection of each reference; the oldest first. */
async function findRequests(
  { pool, reference }: QueryDeps,
  partnerId: string,
  codes: readonly string[],
  number: string,
) {
  const partner = reference.byPartnerId(partnerId)?.key;
  if (partner === undefined) return { kind: "unknownPartner" } as const;
  const wanted = codes.flatMap((code) => referencesOf(partner, code, number));
  const requests = byId(await Promise.all(wanted.map((one) => findAcceptedRequest(pool, one))));
  if (requests.length > 0) return { kind: "accepted", requests } as const;
  const rejected = byId(await Promise.all(wanted.map((one) => findRejectedRequest(pool, one))));
  if (rejected.length === 0) return { kind: "unknownNumber" } as const;
  return { kind: "rejected", rejections: rejected.map(summarizeRejected) } as const;
}

function referencesOf(partner: string, code: string, number: string): readonly RequestReferences[] {
  const none = { id: undefined, externalIdKey: undefined, partnerReferenceKey: undefined };
  const one = { ...none, partner, service: Number(code) };
  // Of a bulk it is an item's number, or the bulk's own.
  const kinds = nounOf(code) === "bulk" ? [[], ["bulk"]] : [[]];
  return [
    ...kinds.map((kind) => ({ ...one, partnerReferenceKey: partnerReferenceKey(partner, code, ...kind, number) })),
    { ...one, externalIdKey: externalIdKey(partner, number) },
  ];
}

/** Without duplicates. */
function byId<Row extends { readonly id: string; readonly at: number }>(
  found: readonly (Row | undefined)[],
): readonly Row[] {
  const rows = new Map(found.filter((row) => row !== undefined).map((row) => [row.id, row]));
  return [...rows.values()].toSorted((a, b) => a.at - b.at);
}

/** `service`: its code as a number. Business times (epoch ms). */
function summarizeWrite({ id, service, at }: AcceptedRequest) {
  return { referenceNo: toReferenceNo(id), service, acceptedAt: at };
}

function summarizeRejected({ service, at, ...rejection }: RejectedRequest) {
  return { ...summarizeRejection(service, rejection), rejectedAt: at };
}

async function describeWrite(deps: QueryDeps, { id, payload, at }: AcceptedRequest) {
  const referenceNo = toReferenceNo(id);
  const transfer = await findTransfer(deps, referenceNo);
  if (transfer) return { kind: "rail", transfer } as const;
  // Not approved, or paid within the bank.
  const paymentRequest = await findPaymentRequest(deps, referenceNo);
  if (paymentRequest) return { kind: "paymentRequest", paymentRequest } as const;
  // Not a transfer, but many: `findBulk` reads it.
  if (await readBulk(deps.pool, id)) return { kind: "bulk", bulkId: referenceNo } as const;
  const { currency } = parsePayload<TransferPayload>(payload).request.amount;
  const postings = await listPostings(deps, [id]);
  // Settled within its call.
  return { kind: "intrabank", transfer: { referenceNo, settledAt: at, currency, postings } } as const;
}
