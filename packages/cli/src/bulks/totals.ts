/** Sums of payments. */
import type { NumberedPayment } from "@titian/client";
import { formatMinor, parseMinor } from "@titian/server/admin";

/** Decimals of an amount on the wire, whatever its currency. */
const scale = 2;

type Paid = Pick<NumberedPayment, "amount">;

/** `1500000.00 IDR`, one of each currency; `0.00` of none. The contract has checked the amounts. */
export function formatTotal(payments: readonly Paid[]): string {
  const sums = new Map<string, bigint>();
  for (const { amount } of payments) {
    const value = parseMinor(amount.value, scale) ?? 0n;
    sums.set(amount.currency, (sums.get(amount.currency) ?? 0n) + value);
  }
  const texts = [...sums].map(([currency, sum]) => `${formatMinor(sum, scale)} ${currency}`);
  return texts.length === 0 ? "0.00" : texts.join(", ");
}
