/** What a rail carries at least and at most (spec D11). */
import { type Minor, zero } from "../money.ts";
import type { RailTerms } from "./terms.ts";
import { type Rejected, reject } from "../rejection.ts";

/** Undefined: the rail carries the amount of the request. Its fee is not looked at. */
export function rejectRailAmount(amount: Minor, { min, max }: Pick<RailTerms, "min" | "max">): Rejected | undefined {
  if (amount <= zero) return reject("amountTooSmall", "amount.value");
  if (amount < min) return reject("belowMinimum", "amount.value");
  if (max !== undefined && amount > max) return reject("overRailLimit", "amount.value");
  return undefined;
}
