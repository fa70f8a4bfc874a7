/** Amounts of control calls: decimal texts outside, minor units inside. */
import { currencyScale } from "@titian/contract";
import { formatMinor, parseMinor, type Minor } from "@titian/server/admin";
import { invalidField } from "./control-error.ts";

/** Completes "must be …" for a field that holds an amount. */
export const amountDescription = 'a decimal text of zero or more, such as "1500000.00"';

export function readAmount(text: string, currency: string, field: string): Minor {
  const scale = scaleOf(currency);
  const amount = parseMinor(text, scale);
  if (amount !== undefined) return amount;
  throw invalidField(field, `${field} must be ${amountDescription}, with at most ${scale} decimals in ${currency}.`);
}

export function writeAmount(amount: bigint, currency: string): string {
  return formatMinor(amount, scaleOf(currency));
}

function scaleOf(currency: string): number {
  const scale = currencyScale(currency);
  if (scale === undefined) throw invalidField("currency", "currency must be an ISO 4217 code in capitals.");
  return scale;
}
