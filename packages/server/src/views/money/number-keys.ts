/** The keys that a partner's number may have: hashes of partner and number, so one of each partner and kind. */
import { externalIdKey, partnerReferenceKey } from "../../engine/batch/idempotency-keys.ts";
import { toReferenceNo } from "../../basics/ids.ts";
import { operationRows, writesOf } from "@titian/contract";
import type { HoldNumbers, RequestKeys } from "./numbers.ts";

const writes = operationRows.filter(({ kind }) => kind === "write");
/** Writes whose requests have a number of their partner's own, of whatever they begin. */
const beginnings = writes.filter(({ about }) => about.within === undefined);
/** Writes whose numbers count within a hold. */
const changes = writes.filter(({ about }) => about.within !== undefined);
const bulks = writesOf("bulk");

/** Of a number that the partners give a request: an external id, a reference number, that of a bulk or of its items. */
export function keysOfNumber(partners: readonly string[], number: string): RequestKeys {
  return {
    externalIdKeys: partners.map((partner) => externalIdKey(partner, number)),
    partnerReferenceKeys: partners.flatMap((partner) => [
      ...beginnings.map(({ code }) => partnerReferenceKey(partner, code, number)),
      ...bulks.map(({ code }) => partnerReferenceKey(partner, code, "bulk", number)),
    ]),
  };
}

/** Of a number that their partners give a capture, void or refund: it counts within the hold. */
export function keysWithinHolds(holds: readonly HoldNumbers[], number: string): RequestKeys {
  return {
    externalIdKeys: [],
    partnerReferenceKeys: holds.flatMap(({ id, partner, partnerReferenceNo }) =>
      changes.map(({ code, about: { within } }) => {
        const hold = within === "originalReferenceNo" ? toReferenceNo(id) : partnerReferenceNo;
        return partnerReferenceKey(partner, code, hold, number);
      }),
    ),
  };
}
