/** The keys that a partner's number may have: hashes of partner and number, so one of each partner and kind. */
import { externalIdKey, partnerReferenceKey } from "../../engine/batch/idempotency-keys.ts";
import { toReferenceNo } from "../../basics/ids.ts";
import type { HoldNumbers, RequestKeys } from "./numbers.ts";

/** Services whose requests have a number of their partner's own, of whatever they begin. */
const services = ["17", "18", "19", "20", "22", "23", "63"] as const;

/** Of a number that the partners give a request: an external id, a reference number, that of a bulk or of its items. */
export function keysOfNumber(partners: readonly string[], number: string): RequestKeys {
  return {
    externalIdKeys: partners.map((partner) => externalIdKey(partner, number)),
    partnerReferenceKeys: partners.flatMap((partner) => [
      ...services.map((service) => partnerReferenceKey(partner, service, number)),
      partnerReferenceKey(partner, "20", "bulk", number),
    ]),
  };
}

/** Of a number that their partners give a capture, void or refund: it counts within the hold. */
export function keysWithinHolds(holds: readonly HoldNumbers[], number: string): RequestKeys {
  return {
    externalIdKeys: [],
    partnerReferenceKeys: holds.flatMap(({ id, partner, partnerReferenceNo }) => [
      partnerReferenceKey(partner, "65", toReferenceNo(id), number),
      partnerReferenceKey(partner, "67", toReferenceNo(id), number),
      partnerReferenceKey(partner, "69", partnerReferenceNo, number),
    ]),
  };
}
