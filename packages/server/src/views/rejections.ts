/** Rejections with the response that partners get. */
import type { Rejection } from "../ledger/rejection.ts";
import { rejectionOf } from "../operations/rejection-cases.ts";

/** `service`: its code as a number. */
export function summarizeRejection(service: number, rejection: Rejection) {
  return { service, kind: rejection.kind, ...rejectionOf(rejection, String(service)) };
}
