/** The result of a transfer in the first response to its caller. */
import type { RailTransfer } from "./transfer.ts";
import type { CallRejectionKind } from "../rejection.ts";

/** A result that is recorded. */
export type KnownResult =
  | { readonly kind: "settled"; readonly traceNo?: string | undefined }
  /** Amount and fee are back. */
  | { readonly kind: "rejected"; readonly rejection: CallRejectionKind }
  /** No result yet. */
  | { readonly kind: "open" };

/** `unknown`: the rail reported a result, and it is not known whether that is recorded. */
export type TransferResult = KnownResult | { readonly kind: "unknown" };

/** Result that the first response gave, or would have given: one counts only if it came within the call. */
export function firstResult({ state, isResolvedSynchronously, traceNo, rejection }: RailTransfer): KnownResult {
  if (!isResolvedSynchronously) return { kind: "open" };
  return state === "rejected"
    ? { kind: "rejected", rejection: rejection ?? "rejectedByRail" }
    : { kind: "settled", traceNo };
}
