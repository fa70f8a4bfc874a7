/** Steps 8 and 9: what the partner may use, how often, and whether there is room (decisions D2, D17). */
import type { OperationRow } from "@titian/contract";
import type { PartnerCredentials } from "../call.ts";
import type { Instant } from "../clock.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { type Refusal, refuse } from "./refusal.ts";

const serviceNotAllowed = refuse("featureNotAllowed", { reason: "Service not assigned to this partner" });
const noRoom = refuse("serviceUnavailable", { retryAfter: 1 });

export function checkService(partner: PartnerCredentials, operation: OperationRow): Refusal | undefined {
  return partner.services.includes(operation.code) ? undefined : serviceNotAllowed;
}

export function checkRate(partner: PartnerCredentials, limiter: RateLimiter, now: Instant): Refusal | undefined {
  if (partner.rateLimit === undefined) return undefined;
  const retryAfter = limiter.take(partner.key, partner.rateLimit, now);
  return retryAfter === 0 ? undefined : refuse("tooManyRequests", { retryAfter });
}

/** A write that would find the queue full is turned away here, before its body costs anything. */
export function checkRoom(
  partner: PartnerCredentials,
  operation: OperationRow,
  hasRoom: (partnerKey: string) => boolean,
): Refusal | undefined {
  return operation.kind !== "write" || hasRoom(partner.key) ? undefined : noRoom;
}
