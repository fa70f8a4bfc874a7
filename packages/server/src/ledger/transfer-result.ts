/** What of a transfer is known by the time its caller is answered. */
import type { RailTransfer } from "./rail-transfer.ts";
import type { CallRefusalKind } from "./refusal.ts";

/** A result that is recorded. */
export type KnownResult =
  | { readonly kind: "settled"; readonly traceNo?: string | undefined }
  /** Amount and fee are back. */
  | { readonly kind: "refused"; readonly refusal: CallRefusalKind }
  /** The rail has not said yet. */
  | { readonly kind: "open" };

/** `unknown`: the rail said, and whether that was recorded is not known. */
export type TransferResult = KnownResult | { readonly kind: "unknown" };

/** What the first answer told, or would have: a result that came on another way than within the call is none of it. */
export function firstResult({ state, isResolvedSynchronously, traceNo, refusal }: RailTransfer): KnownResult {
  if (!isResolvedSynchronously) return { kind: "open" };
  return state === "refused" ? { kind: "refused", refusal: refusal ?? "rejectedByRail" } : { kind: "settled", traceNo };
}
