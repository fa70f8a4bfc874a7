/** Sweeping a hold whose time has passed: what is left is available again (spec D10). */
import { type Hold, type HoldChange, holdAt, remaining } from "./hold.ts";
import type { Decision } from "../rejection.ts";

export interface ExpiryEffect {
  readonly holds: readonly HoldChange[];
}

/** Nothing, when it was closed meanwhile or its time has not come. */
export function decideExpiry(hold: Hold | undefined, now: number): Decision<ExpiryEffect> {
  if (!hold) return { kind: "nothing" };
  const expired = holdAt(hold, now);
  if (expired === hold) return { kind: "nothing" };
  return {
    kind: "effect",
    effect: { holds: [{ hold: expired, lines: [{ kind: "expiry", amount: remaining(hold) }] }] },
  };
}
