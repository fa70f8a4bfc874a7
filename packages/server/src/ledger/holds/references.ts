/** Match of a call's references with its hold: it exists, is the caller's, and every reference agrees (spec D10). */
import type { Hold } from "./hold.ts";
import { type Rejected, reject } from "../rejection.ts";

/** References of a call to its hold; absent ones do not count. */
export interface HoldReferences {
  /** Internal id of the partner who asks. */
  readonly partner: string;
  readonly id?: string | undefined;
  readonly partnerReferenceNo?: string | undefined;
  readonly merchantId?: string | undefined;
  readonly subMerchantId?: string | undefined;
  readonly externalStoreId?: string | undefined;
}

const named = ["id", "partnerReferenceNo", "merchantId", "subMerchantId", "externalStoreId"] as const;

/** Another partner's hold is answered exactly as one that does not exist (spec D19). */
export function rejectReferences(hold: Hold | undefined, references: HoldReferences): Rejected | undefined {
  if (!hold || hold.partner !== references.partner) return reject("originalNotFound");
  const fits = named.every((name) => references[name] === undefined || references[name] === hold[name]);
  return fits ? undefined : reject("referencesDisagree");
}
