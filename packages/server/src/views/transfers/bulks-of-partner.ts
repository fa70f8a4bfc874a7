/** Bulk transfers (20) by their partner's `partnerBulkId`, the number of an item, or the `X-EXTERNAL-ID`. */
import { operations } from "@titian/contract";
import { toReferenceNo } from "../../basics/ids.ts";
import { findAcceptedRequest, findRejectedRequest } from "../../store/reads/accepted-requests.ts";
import { findBulkOf } from "../../store/reads/bulks.ts";
import { type BulkDetails, findBulk } from "./bulks.ts";
import { byId, referencesOf } from "../partner-references.ts";
import type { QueryDeps } from "../query-deps.ts";
import { summarizeRejection } from "../rejections.ts";
import type { RejectedTransferRequest } from "./transfers-of-partner.ts";

export type BulkOfPartner =
  | { readonly kind: "bulk"; readonly bulk: BulkDetails }
  /** The number is of several bulks, oldest first. */
  | { readonly kind: "several"; readonly bulkIds: readonly string[] }
  /** None was accepted: the newest rejection of each reference, oldest first. */
  | { readonly kind: "rejected"; readonly rejections: readonly RejectedTransferRequest[] }
  | { readonly kind: "unknownNumber" }
  | { readonly kind: "unknownPartner" };

export async function findBulkOfPartner(deps: QueryDeps, partnerId: string, number: string): Promise<BulkOfPartner> {
  const { pool, reference } = deps;
  const partner = reference.byPartnerId(partnerId)?.key;
  if (partner === undefined) return { kind: "unknownPartner" };
  const references = referencesOf(partner, operations.interbankBulkTransfer.code, number);
  const accepted = byId(await Promise.all(references.map((one) => findAcceptedRequest(pool, one))));
  const found = await Promise.all(accepted.map(({ id }) => findBulkOf(pool, id)));
  const bulkIds = [...new Set(found.flatMap((one) => (one ? toReferenceNo(one.bulk.id) : [])))];
  const [bulkId] = bulkIds;
  if (bulkIds.length > 1) return { kind: "several", bulkIds };
  const bulk = bulkId === undefined ? undefined : await findBulk(deps, bulkId);
  if (bulk) return { kind: "bulk", bulk };
  const rejected = byId(await Promise.all(references.map((one) => findRejectedRequest(pool, one))));
  if (rejected.length === 0) return { kind: "unknownNumber" };
  return {
    kind: "rejected",
    rejections: rejected.map(({ service, at, ...rejection }) => ({
      ...summarizeRejection(service, rejection),
      rejectedAt: at,
    })),
  };
}
