/** What the commands of all in-process windows share. */
import { loadRailData } from "../packages/server/src/admin/rail-data/rail-data.ts";
import {
  externalIdKey,
  partnerReferenceKey,
  requestFingerprint,
  shortBodyHash,
  signatureKey,
} from "../packages/server/src/engine/batch/idempotency-keys.ts";
import type { DuplicateKeys } from "../packages/server/src/engine/command.ts";
import { newId } from "../packages/server/src/basics/ids.ts";
import type { Reference } from "../packages/server/src/ledger/reference/reference-data.ts";
import { paymentRequestLimits } from "../test/support/payment-request-limits.ts";

/** The most captures that one hold takes: the highest TITIAN_HOLD_EVENTS_MAX. */
export const capturesPerHoldMax = 10_000;

/** What `decide` gets beside the locked rows. */
export const benchReference: Reference = {
  version: 1,
  partners: new Map(),
  merchants: new Map(),
  idempotencyWindowMs: 86_400_000,
  holdEventsMax: capturesPerHoldMax,
  paymentRequests: paymentRequestLimits,
  rails: loadRailData({ ownBankCode: "999" }),
};

/** Nothing looks at a body's hash but a repeat. */
export const bodyHash = shortBodyHash("ab".repeat(32));

/** How long a caller waits for its outcome. */
export const commandTimeoutMs = 10_000;

/**
 * What a command says of itself and its request; `id` is the external id and the partner's number. A number that counts
 * within one hold has the reference of the hold before it.
 */
export function commandHead(
  partner: string,
  service: number,
  id: string,
  content: readonly string[],
  number: readonly string[] = [id],
) {
  const keys: DuplicateKeys = {
    partner,
    service,
    externalId: id,
    externalIdKey: externalIdKey(partner, id),
    partnerReferenceKey: partnerReferenceKey(partner, String(service), ...number),
    signatureKey: signatureKey(partner, id),
    sentAt: Date.now(),
    bodyHash,
    requestFingerprint: requestFingerprint(content),
  };
  return { id: newId(), deadline: Date.now() + commandTimeoutMs, partner, keys };
}
