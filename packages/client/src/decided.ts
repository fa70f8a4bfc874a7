/**
 * Which answers decide an intent (decision D7, "For callers"). An answer that does not may hide an effect:
 * the write must be repeated with its external id, or its status asked for, before anything else is tried.
 */
import type { CaseName, OperationRow } from "@titian/contract";

export interface RefusedAs {
  readonly httpStatus: number;
  /** As the response code has it: the operation's own, or `00` for a path the provider does not know. */
  readonly serviceCode: string;
  /** Absent when the response code is in no table. */
  readonly caseName: CaseName | undefined;
}

/**
 * - `decided`: looked up, then decided (steps 13 and 14, or the rail within the call): speaks for every send so far, since
 *   an older one that arrives later gets this refusal.
 * - `atTheDoor`: turned away before repeats are looked at (steps 1 to 12): speaks for this send only.
 * - `open`: says nothing certain.
 */
type Weight = "decided" | "atTheDoor" | "open";

/** Whether a refusal is the last word about a call. Reads change nothing, so nothing about them stays open. */
export function isDecidedBy(row: OperationRow, refused: RefusedAs, maybeSentBefore: boolean): boolean {
  if (row.kind !== "write") return true;
  const weight = weigh(row, refused);
  return weight === "decided" || (weight === "atTheDoor" && !maybeSentBefore);
}

function weigh(row: OperationRow, { httpStatus, serviceCode, caseName }: RefusedAs): Weight {
  if (httpStatus >= 500) return "open";
  if (serviceCode !== row.code) return "atTheDoor";
  // A case nobody has written down could mean anything, even "accepted".
  if (caseName === undefined) return "open";
  if (caseName === "featureNotAllowed") return "atTheDoor";
  return httpStatus === 403 || httpStatus === 404 || httpStatus === 409 ? "decided" : "atTheDoor";
}
