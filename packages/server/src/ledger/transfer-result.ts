/** What of a transfer is known by the time its caller is answered. */
import type { CallRefusalKind } from "./refusal.ts";

export type TransferResult =
  | { readonly kind: "settled"; readonly traceNo?: string | undefined }
  /** Money is back, external id and number are free again. */
  | { readonly kind: "refused"; readonly refusal: CallRefusalKind }
  /** The rail has not said yet. */
  | { readonly kind: "open" }
  /** It said, and whether that was recorded is not known. */
  | { readonly kind: "unknown" };
