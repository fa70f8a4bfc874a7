/** What a rail carries at least and at most (decision D11). */
import { type Minor, zero } from "./money.ts";
import type { RailTerms } from "./rail.ts";
import { type Refused, refuse } from "./refusal.ts";

/** Undefined: the rail carries the amount of the request. Its fee is not looked at. */
export function refuseRailAmount(
  amount: Minor,
  { least, most }: Pick<RailTerms, "least" | "most">,
): Refused | undefined {
  if (amount <= zero) return refuse("amountTooSmall", "amount.value");
  if (amount < least) return refuse("belowMinimum", "amount.value");
  if (most !== undefined && amount > most) return refuse("overRailLimit", "amount.value");
  return undefined;
}
