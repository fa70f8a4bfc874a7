/** Rejections with the response that partners get. */
import type { Rejection, RejectionKind } from "../ledger/rejection.ts";
import { rejectionOf } from "../operations/rejection-cases.ts";

export interface RejectionSummary {
  /** Service code as a number. */
  readonly service: number;
  readonly kind: RejectionKind;
  readonly responseCode: string;
  readonly responseMessage: string;
}

export function summarizeRejection(service: number, rejection: Rejection): RejectionSummary {
  return { service, kind: rejection.kind, ...rejectionOf(rejection, String(service)) };
}
