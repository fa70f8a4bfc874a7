/** Requests for transfers, payments and bulks by a number that their partner gave them. */
import { nounOf, writesOf } from "@titian/contract";
import { toReferenceNo } from "../../basics/ids.ts";
import { externalIdKey, partnerReferenceKey } from "../../engine/batch/idempotency-keys.ts";
import {
  findAcceptedRequest,
  findRejectedRequest,
  type RequestReferences,
} from "../../store/reads/accepted-requests.ts";
import { findTransfer } from "../../store/reads/transfers.ts";
import type { AcceptedRequest } from "../../store/tables/requests/accepted-requests.ts";
import type { QueryDeps, Shown } from "../query-deps.ts";
import { summarizeRejection } from "../rejections.ts";

export type RequestsOfPartner = NonNullable<Shown<typeof findRequestsOfPartner>>;
export type RequestOfPartner = Shown<typeof describe>;

/** `transfer`: over a rail; `intrabank`: settled within its call; `paymentRequest`: not approved, or paid within the bank. */
type RequestKind = "transfer" | "intrabank" | "paymentRequest" | "bulk";

const writes = writesOf("transfer", "paymentRequest", "bulk");

/**
 * Accepted requests, and the newest rejection of each reference, oldest first; undefined: there is no such partner. Business
 * times (epoch ms).
 * @param number a number of the partner's own, or an `X-EXTERNAL-ID`
 */
export async function findRequestsOfPartner({ pool, reference }: QueryDeps, partnerId: string, number: string) {
  const partner = reference.byPartnerId(partnerId)?.key;
  if (partner === undefined) return undefined;
  const wanted = writes.flatMap(({ code }) => referencesOf(partner, code, number));
  const [accepted, rejected] = await Promise.all([
    Promise.all(wanted.map((one) => findAcceptedRequest(pool, one))),
    Promise.all(wanted.map((one) => findRejectedRequest(pool, one))),
  ]);
  return {
    requests: await Promise.all(byId(accepted).map((request) => describe(pool, request))),
    rejections: byId(rejected).map(({ service, at, ...rejection }) => ({
      ...summarizeRejection(service, rejection),
      rejectedAt: at,
    })),
  };
}

async function describe(pool: QueryDeps["pool"], { id, service, at }: AcceptedRequest) {
  const transfer = await findTransfer(pool, id);
  const noun = nounOf(service);
  const bulk = transfer?.bulk ?? (noun === "bulk" ? id : undefined);
  const kind: RequestKind = transfer ? "transfer" : noun === "bulk" || noun === "paymentRequest" ? noun : "intrabank";
  return {
    kind,
    referenceNo: toReferenceNo(id),
    /** Service code as a number. */
    service,
    /** Absent but for a bulk and an item of one. */
    bulkId: bulk === undefined ? undefined : toReferenceNo(bulk),
    acceptedAt: at,
  };
}

function referencesOf(partner: string, code: string, number: string): readonly RequestReferences[] {
  const none = { id: undefined, externalIdKey: undefined, partnerReferenceKey: undefined };
  const one = { ...none, partner, service: Number(code) };
  // A bulk has two: the number of an item, or its own.
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
