/**
 * Responses that are final for a write (spec D7, "For callers"). After any other the write may have taken effect:
 * repeat it with its external id, or ask for its status, before trying anything else.
 */
import type { CaseName, OperationRow } from "@titian/contract";

export interface RejectionCode {
  readonly httpStatus: number;
  /** As in the response code: the operation's own, or `00` for a path the provider does not know. */
  readonly serviceCode: string;
  /** Undefined when the response code is in no table. */
  readonly caseName: CaseName | undefined;
}

/**
 * - `allSends`: rejected after the idempotency check (steps 13 and 14, or the rail within the call): final for every
 *   send so far, since an older one that arrives later gets this rejection.
 * - `thisSend`: rejected before the idempotency check (steps 1 to 12): final for this send only.
 * - `none`: the outcome is unknown.
 */
export type Finality = "allSends" | "thisSend" | "none";

/** True when a rejection settles the outcome of the call. Always true for reads, which change nothing. */
export function isFinalAfter(row: OperationRow, rejection: RejectionCode, maybeSentBefore: boolean): boolean {
  if (row.kind !== "write") return true;
  const finality = finalityOf(row, rejection);
  return finality === "allSends" || (finality === "thisSend" && !maybeSentBefore);
}

export function finalityOf(row: OperationRow, { httpStatus, serviceCode, caseName }: RejectionCode): Finality {
  if (httpStatus >= 500) return "none";
  if (serviceCode !== row.code) return "thisSend";
  // An undocumented case could mean anything, even "accepted".
  if (caseName === undefined) return "none";
  if (caseName === "featureNotAllowed") return "thisSend";
  return httpStatus === 403 || httpStatus === 404 || httpStatus === 409 ? "allSends" : "thisSend";
}
