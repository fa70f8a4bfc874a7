/** Steps 8 and 9: permitted services, rate limit, quotas, and space in the queue (spec D2, D17). */
import type { OperationRow } from "@titian/contract";
import type { PartnerCredentials } from "../../interfaces/call.ts";
import type { Instant } from "../../basics/clock.ts";
import type { RateLimiter } from "../authentication/rate-limit.ts";
import { type RejectedCall, reject } from "../responses/rejected-call.ts";
import type { StoredQuotas } from "./stored-quotas.ts";

const serviceNotAllowed = reject(8, "featureNotAllowed", { reason: "Service not assigned to this partner" });
const noWrites = reject(9, "serviceUnavailable", { retryAfter: 60, reason: "Inquiries only" });
const noCapacity = reject(9, "serviceUnavailable", { retryAfter: 1 });

export function checkService(partner: PartnerCredentials, operation: OperationRow): RejectedCall | undefined {
  return partner.services.includes(operation.code) ? undefined : serviceNotAllowed;
}

export function checkRate(
  partner: PartnerCredentials,
  operation: OperationRow,
  limiter: RateLimiter,
  now: Instant,
): RejectedCall | undefined {
  if (partner.rateLimit === undefined) return undefined;
  const retryAfter = limiter.admit(partner.key, partner.rateLimit, operation, now);
  return retryAfter === 0 ? undefined : reject(9, "tooManyRequests", { retryAfter });
}

export interface Intake {
  /** Absent: nobody has a quota. */
  readonly storedQuotas?: Pick<StoredQuotas, "admit"> | undefined;
  /** False while the node answers inquiries alone; absent: always true. */
  readonly takesWrites?: () => boolean;
  /** True: the queue would take a write of this partner now. */
  readonly hasCapacity: (partnerKey: string, operation: OperationRow) => boolean;
}

/** A write is rejected while its partner, the node or the queue takes none, before its body is parsed. */
export function checkCapacity(
  partner: PartnerCredentials,
  operation: OperationRow,
  { storedQuotas, takesWrites, hasCapacity }: Intake,
): RejectedCall | undefined {
  if (operation.kind !== "write") return undefined;
  const retryAfter = storedQuotas?.admit(partner.key) ?? 0;
  if (retryAfter > 0) return reject(9, "tooManyRequests", { retryAfter });
  if (takesWrites?.() === false) return noWrites;
  return hasCapacity(partner.key, operation) ? undefined : noCapacity;
}
