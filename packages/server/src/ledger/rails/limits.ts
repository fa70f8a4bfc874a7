/** Limits of a rail (spec D11). */
import { type Minor, zero } from "../money.ts";
import type { RailTerms } from "./terms.ts";
import { type Rejected, reject } from "../rejection.ts";

/** Checks the requested amount, without the fee. */
export function rejectRailAmount(amount: Minor, { min, max }: Pick<RailTerms, "min" | "max">): Rejected | undefined {
  if (amount <= zero) return reject("amountTooSmall", "amount.value");
  if (amount < min) return reject("belowMinimum", "amount.value");
  if (max !== undefined && amount > max) return reject("overRailLimit", "amount.value");
  return undefined;
}
