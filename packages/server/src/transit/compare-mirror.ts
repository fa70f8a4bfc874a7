/** A transit account beside the account that mirrors it in the other cell. */
import type { StoredTransitEntry, TransitPosition } from "../store/reads/transit.ts";
import type { StopReason } from "./transit-events.ts";

export type Mirror = Pick<TransitPosition, "name" | "version" | "balance">;

export function minus(amount: TransitPosition["balance"]): TransitPosition["balance"] {
  return -amount as TransitPosition["balance"];
}

export function isLevel(mirror: Mirror | undefined, out: TransitPosition | undefined): boolean {
  if (!mirror || !out) return mirror === undefined && (out?.version ?? 0) === 0;
  return mirror.name === out.id && mirror.version === out.version && mirror.balance === minus(out.balance);
}

/** The reason to stop before anything is sent. The mirror was read before the account. */
export function faultOf(
  mirror: Mirror | undefined,
  out: TransitPosition | undefined,
  page: readonly StoredTransitEntry[],
): StopReason | undefined {
  const version = mirror?.version ?? 0;
  if (mirror && out && mirror.name !== out.id) return "otherAccount";
  if (version > (out?.version ?? 0)) return "ahead";
  if (version === out?.version) return mirror?.balance === minus(out.balance) ? undefined : "differs";
  return page.length === 0 ? "missing" : undefined;
}
