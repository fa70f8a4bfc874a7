/** Expiry of a hold: the remainder is available again (spec D10). */
import { type Hold, type HoldChange, holdAt, remaining } from "./hold.ts";
import type { Decision } from "../rejection.ts";

/** "nothing" when the hold is closed, or not expired yet. */
export function decideExpiry(hold: Hold | undefined, now: number): Decision<{ readonly holds: readonly HoldChange[] }> {
  if (!hold) return { kind: "nothing" };
  const expired = holdAt(hold, now);
  if (expired === hold) return { kind: "nothing" };
  return {
    kind: "effect",
    effect: { holds: [{ hold: expired, events: [{ kind: "expiry", amount: remaining(hold) }] }] },
  };
}
