/** What of a transfer is known by the time its caller is answered. */
import type { RailTransfer } from "./transfer.ts";
import type { CallRejectionKind } from "../rejection.ts";

/** A result that is recorded. */
export type KnownResult =
  | { readonly kind: "settled"; readonly traceNo?: string | undefined }
  /** Amount and fee are back. */
  | { readonly kind: "rejected"; readonly rejection: CallRejectionKind }
  /** The rail has not said yet. */
  | { readonly kind: "open" };

/** `unknown`: the rail said, and whether that was recorded is not known. */
export type TransferResult = KnownResult | { readonly kind: "unknown" };

/** What the first answer told, or would have: a result that came on another way than within the call is none of it. */
export function firstResult({ state, isResolvedSynchronously, traceNo, rejection }: RailTransfer): KnownResult {
  if (!isResolvedSynchronously) return { kind: "open" };
  return state === "rejected"
    ? { kind: "rejected", rejection: rejection ?? "rejectedByRail" }
    : { kind: "settled", traceNo };
}
